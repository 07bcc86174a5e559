silent = [connect_tcp() for _ in range(60)]
half = [connect_tcp() for _ in range(60)]
for connection in half:
    connection.shutdown(socket.SHUT_WR)
fixes_go_by()
print("done")
