connection = connect()
print(ask(connection))
become(OTHER, '''
print(ask(socket.socket(fileno=int(sys.argv[1]))))
print(ask())
''', connection.fileno())
