import json, socket, sys
socket.setdefaulttimeout(120)
connections = []
for _ in range(int(sys.argv[2])):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    connection.sendall(b'{"method":"io.locationd.Manage.GetServices","parameters":{}}\0')
    answer = json.loads(connection.recv(65536).rstrip(b"\0") or b'{"error":"closed"}')
    print(answer.get("error", "answered").rsplit(".", 1)[-1])
    connections.append(connection)
