import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
for call in sys.argv[2:]:
    s.sendall(call.encode() + b"\0"); print(s.recv(65536).decode().rstrip("\0"))
