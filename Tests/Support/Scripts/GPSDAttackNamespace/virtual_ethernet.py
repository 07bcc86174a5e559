import os, signal, socket, subprocess, sys, time
program, folder = sys.argv[1:]
number = os.getpid() % 200 + 20
ours, theirs = f"ld{os.getpid()}a", f"ld{os.getpid()}b"
address, other = f"10.213.{number}.1", f"10.213.{number}.2"
ip = lambda *words: subprocess.run(["/usr/sbin/ip", *words], check=True)
start = lambda *command: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
script = ["/usr/bin/python3", "-c", """if True:
    import socket, sys
    print("ready", flush=True)
    address = sys.stdin.readline().strip()
    client = socket.create_connection((address, int(sys.stdin.readline())), 120)
    try:
        client.sendall(b'?WATCH={"enable":true,"json":true};')
        data = b""
        while b'"mode"' not in data:
            part = client.recv(65536)
            if not part:
                break
            data += part
    except ConnectionError:
        data = b""
    print("served" if b'"mode"' in data else "refused", flush=True)
    """]
client, neighbour = start("/usr/bin/unshare", "--net", *script), start(*script)
daemon = 0
try:
    assert client.stdout.readline() == "ready\n"
    ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", str(client.pid))
    ip("addr", "add", address + "/30", "dev", ours)
    ip("link", "set", ours, "up")
    inside = ["/usr/bin/nsenter", "--net", "--target", str(client.pid), "/usr/sbin/ip"]
    subprocess.run([*inside, "addr", "add", other + "/30", "dev", theirs], check=True)
    subprocess.run([*inside, "link", "set", theirs, "up"], check=True)
    listener = socket.socket()
    listener.bind((address, 0))
    listener.listen()
    open(folder + "/locationd.toml", "w").close()
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind(folder + "/notify")
    daemon = os.fork()
    if daemon == 0:
        os.dup2(os.dup2(listener.fileno(), 100), 3)
        os.closerange(4, 200)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="gpsd",
                          NOTIFY_SOCKET=folder + "/notify")
        os.execv(program, [program, "--config", folder + "/locationd.toml", "--receiver", "simulated",
                           "--runtime-directory", folder + "/run", "--state-directory", folder + "/state"])
    notices.settimeout(120)
    while not notices.recv(4096).startswith(b"READY=1"):
        pass
    for process in (neighbour, client):
        words = process.communicate(f"{address}\n{listener.getsockname()[1]}\n", 120)[0].split()
        print(words[-1])
finally:
    for process in (neighbour, client):
        process.kill()
    if daemon:
        os.kill(daemon, signal.SIGTERM)
        os.waitpid(daemon, 0)
    subprocess.run(["/usr/sbin/ip", "link", "del", ours], stderr=subprocess.DEVNULL)
