import select
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1])
client, _ = server.accept()
upstream = connect_tcp()
pairs = {client: upstream, upstream: client}
while True:
    for ready in select.select(list(pairs), [], [])[0]:
        data = ready.recv(65536)
        if not data:
            sys.exit()
        pairs[ready].sendall(data)
