import signal, socket, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen()
print("listening", flush=True)
connection, _ = listener.accept()
if sys.argv[2]:
    connection.recv(1024)
    connection.sendall(bytes.fromhex(sys.argv[2]))
signal.sigwait([signal.SIGUSR1])
count = 0
try:
    while block := connection.recv(65536):
        count += len(block)
except ConnectionResetError:
    pass
print(count, flush=True)
