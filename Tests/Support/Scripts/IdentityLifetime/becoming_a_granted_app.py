connection = connect()
print(ask(connection, "GetAuthorization"))
become(GRANTED, '''
print(ask(socket.socket(fileno=int(sys.argv[1]))))
print(ask())
''', connection.fileno())
