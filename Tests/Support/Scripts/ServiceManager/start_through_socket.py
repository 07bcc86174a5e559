import os, select, signal, socket, subprocess, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(8)
listener.set_inheritable(True)
if listener.fileno() != 3: os.dup2(listener.fileno(), 3)
while True:
    child = os.fork()
    if child == 0:
        # Before anything that the program itself prints.
        print("started", os.getpid(), flush=True)
        os.environ["LISTEN_FDS"] = "1"
        os.environ["LISTEN_PID"] = str(os.getpid())
        os.execv(sys.argv[2], sys.argv[2:])
    signal.signal(signal.SIGTERM, lambda *_: (os.kill(child, 9), sys.exit(0)))
    os.waitpid(child, 0)
    select.select([listener], [], [])
