halt()
connections = [new_tcp() for _ in range(20)]
end(start(GRANTED, '''
from gpsd_attack import *
for number in sys.argv[1:]:
    connection = connect_tcp(socket.socket(fileno=int(number)))
    request(connection, WATCH)
    connection.detach()
''', *(connection.fileno() for connection in connections)))
go_on()
print(*outcomes(connections), sep="\n")
