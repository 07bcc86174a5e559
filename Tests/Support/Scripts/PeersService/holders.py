import subprocess
place = next(line[4:].strip("/\n") for line in open("/proc/self/cgroup") if line.startswith("0::/"))
root = next(path for path in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
            if os.path.exists(path + "/cgroup.controllers"))
group = os.stat(f"{root}/{place}").st_ino
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
inode = os.fstat(client.fileno()).st_ino
identity = ask("identity 65534", os.pidfd_open(os.getpid()))

def holders(uid, inode, group):
    connection = connect()
    connection.send(f"holders {uid} {inode} {group}".encode())
    text, ancillary, _, _ = connection.recvmsg(8192, socket.CMSG_SPACE(8 * 4))
    pidfds = array.array("i", b"".join(data for _, _, data in ancillary))
    pids = [next(int(line[4:]) for line in open(f"/proc/self/fdinfo/{pidfd}") if line.startswith("Pid:"))
            for pidfd in pidfds]
    app = identity.partition(" ")[2]
    return text.decode() == f"holders 0\n{app}" and pids or text.decode()

print(holders(65534, inode, group) == [os.getpid()])
# Attack: the daemon has been taken over, and makes false requests.
print(holders(65534, inode, group + 1000000007))
print(holders(65534, 4294967295, group))
print(holders(0, inode, group))
other = subprocess.Popen(["/bin/sleep", "infinity"], pass_fds=[client.fileno()])
# Unless all these processes are in one unit, and so one app.
is_one = ask("identity 65534", os.pidfd_open(other.pid)) == identity
print(is_one or holders(65534, inode, group) == "holders socketShared")
client.close()
identity = ask("identity 65534", os.pidfd_open(other.pid))
print(holders(65534, inode, group) == [other.pid])
other.kill()
other.wait()
print(holders(65534, inode, group))
