import struct
for number in range(10_000):
    connection = socket.socket()
    if number % 20:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    try:
        connect_tcp(connection)
        if number % 3 == 0:
            connection.sendall(WATCH)
    except OSError:
        pass
    connection.close()
print("done")
