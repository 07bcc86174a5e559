import threading
texts = [
    b'x' * 1_000_000, b'?WATCH={' + b'x' * 1_000_000, b'?WATCH=' + b'{"a":' * 200_000,
    b'?WATCH=' + b'[' * 1_000_000, bytes(range(256)) * 4000, b'?' * 1_000_000, b'?WATCH={"' * 100_000,
    b'\0' * 1_000_000, b'?\xff\xfe;' * 200_000,
    b'?WATCH={"device":"' + b'\\u0000' * 100_000 + b'"};',
]
connections = [connect_tcp() for _ in texts]
for connection, text in zip(connections, texts):
    connection.settimeout(None)
    # The replies are read, or the connection is closed.
    read = lambda connection: [None for _ in iter(lambda: line(connection), None)]
    threading.Thread(target=read, args=[connection], daemon=True).start()
    request(connection, text)
    print(text[:8])
fixes_go_by()
print("done")
