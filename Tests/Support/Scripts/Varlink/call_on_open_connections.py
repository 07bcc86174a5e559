import socket, sys
connections = [socket.socket(socket.AF_UNIX) for _ in range(4)]
for connection in connections:
    connection.connect(sys.argv[1])
    connection.sendall(sys.argv[2].encode() + b"\0")
    print("connectionsPerUser" if b"PerUser" in connection.recv(4096) else "answered")
