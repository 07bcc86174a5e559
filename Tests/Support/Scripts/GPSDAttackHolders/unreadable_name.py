import ctypes
assert ctypes.CDLL(None).prctl(15, b"\xff", 0, 0, 0) == 0  # PR_SET_NAME, linux/prctl.h
# The kernel notes who makes the socket.
os.setresuid(65534, 65534, 0)
connection = new_tcp()
os.seteuid(0)
child = os.fork()
if child == 0:
    os.setresuid(65534, 65534, 65534)
    become(GRANTED, '''
from gpsd_attack import *
connection = connect_tcp(socket.socket(fileno=int(sys.argv[1])))
for word in outcomes([connection, connect_tcp()]):
    print(word)
''', connection.fileno())
end(child)
