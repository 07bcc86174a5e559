halt()
isReused = False
while not isReused:
    connection = new()
    child = os.fork()
    if child == 0:
        connect(connection)
        os._exit(0)
    end(child)
    isReused = reuse(child, GRANTED)
go_on()
print(ask(connection) in ("closed", "PermissionDenied"))
os.kill(child, signal.SIGKILL)
