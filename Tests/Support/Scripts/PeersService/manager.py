import os, signal, socket, sys
program, path, user = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(path)
# An attacker at the socket: the service checks for itself.
os.chmod(path, 0o666)
listener.listen(16)
child = 0

def end(*_):
    os.kill(child, signal.SIGKILL)
    os._exit(0)

signal.signal(signal.SIGTERM, end)
while True:
    child = os.fork()
    if child == 0:
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        # With the capabilities that the unit leaves it, and no others.
        os.execv("/usr/bin/setpriv", [
            "setpriv", "--bounding-set", "-all,+sys_ptrace,+dac_read_search,+setuid,+setgid", "--no-new-privs",
            program, "--user", user])
    print(child, flush=True)
    os.waitpid(child, 0)
