import resource, select, socket, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
clients = [socket.create_connection(("127.0.0.1", int(sys.argv[1])), 600) for _ in range(1000)]
for client in clients:
    client.sendall(b'?WATCH={"enable":true,"json":true};\n')
def wait(file, text):
    # A file ends with its connection, as all do with the daemon of a test that has died.
    if not any(text in line for line in file):
        sys.exit("the connection is closed")
# The first report of each is a fix, or says that there is no fix.
files = [client.makefile("r") for client in clients]
for file in files:
    wait(file, "TPV")
print("watching", flush=True)
for file in files:
    wait(file, '"mode":3')
print("located", flush=True)
