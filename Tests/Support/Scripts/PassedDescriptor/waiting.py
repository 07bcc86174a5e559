import array, struct, threading
tcp = socket.create_server(("127.0.0.1", 0))
kept = []
def hand_over(connection, flags):
    lingering = socket.create_connection(tcp.getsockname())
    kept.append(tcp.accept()[0])
    lingering.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3600))
    lingering.setblocking(False)
    try:
        while True:
            lingering.send(bytes(65536))
    except BlockingIOError:
        pass
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [lingering.fileno()]))]
    try:
        connection.sendmsg([b"x"], rights, flags)
    except PermissionError:
        lingering.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
    lingering.close()
def attack():
    for listener in listeners[:3]:
        for number in range(12):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(listener.getsockname())
            if number % 3 == 2:
                connection.sendall(b"{")
            try:
                hand_over(connection, socket.MSG_OOB if number % 2 else 0)
            except OSError:
                pass # The daemon has closed the connection.
            if number % 4 == 1:
                connection.shutdown(socket.SHUT_WR)
            if number % 4 == 2:
                connection.close()
            else:
                kept.append(connection)
attack()
child = start()
print(told().split("\n")[0])
for _ in range(2):
    print(ask(connect()))
    print(greeting(connect_to_gpsd(2)))
    attack()
os.kill(child, signal.SIGTERM)
print(told().split("\n")[0])
print(ended(child))
