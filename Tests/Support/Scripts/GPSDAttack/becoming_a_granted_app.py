connection = connect_tcp()
print(outcome(connection))
become(GRANTED, '''
from gpsd_attack import *
print(outcome(socket.socket(fileno=int(sys.argv[1]))))
print(outcome())
''', connection.fileno())
