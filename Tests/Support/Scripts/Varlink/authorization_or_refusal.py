import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1] + "/io.locationd.Location")
connection.sendall(b'{"method":"io.locationd.Location.GetAuthorization"}\0')
print("answered" if b'"authorization"' in connection.recv(65536) else "refused")
