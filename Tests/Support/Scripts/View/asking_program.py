import os, socket, sys
answer = b""
# While two hundred programs start, the daemon may not get to look at one of them in time, and
# refuses it.
while not answer.startswith(b'{"parameters":'):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(b'{"method":"io.locationd.Location.RequestAuthorization","more":true,'
        b'"parameters":{"level":"whenInUse","reason":"' + b'w' * 2000 + b'"}}' + bytes(1))
    answer = s.recv(4096)
s.set_inheritable(True)
os.execv("/bin/sleep", ["sleep", "100000"])
