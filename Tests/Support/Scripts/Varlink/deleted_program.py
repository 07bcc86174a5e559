import os, socket, sys
os.unlink(sys.argv[1])
for _ in range(500):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[2])
    s.sendall(b'{"method":"io.locationd.Location.GetAuthorization"}' + bytes(1))
    while s.recv(4096): pass
    s.close()
