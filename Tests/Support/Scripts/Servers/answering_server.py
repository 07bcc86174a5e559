import socket, sys
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(16)
print("listening", flush=True)
connections = []
while True:
    connection, _ = listener.accept()
    print("connection", flush=True)
    if len(sys.argv) == 2:
        connections.append(connection)
        continue
    connection.recv(65536)
    connection.sendall(bytes.fromhex(sys.argv[2]))
    connection.close()
