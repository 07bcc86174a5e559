halt()
connections = [new(), new()]
end(start(GRANTED, '''
for number in sys.argv[1:]:
    connection = connect(socket.socket(fileno=int(number)))
    send(connection, "GetLocation")
    connection.detach()
''', *(connection.fileno() for connection in connections)))
go_on()
for connection in connections:
    print(receive(connection) in ("closed", "PermissionDenied"))
