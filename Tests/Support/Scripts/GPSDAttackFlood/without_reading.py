connection = connect_tcp()
connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
connection.setblocking(False)
sent, blocked = 0, 0
# Until nothing more fits, and still nothing more after a fix of another client.
while blocked < 5 and sent < 100_000_000:
    try:
        sent += connection.send(b"?DEVICES;?VERSION;?POLL;" * 1000)
    except BlockingIOError:
        blocked += 1
        fixes_go_by(1)
    except OSError:
        break
print(sent < 100_000_000)
