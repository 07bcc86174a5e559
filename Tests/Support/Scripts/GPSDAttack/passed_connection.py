here, there = socket.socketpair()
there.set_inheritable(True)
child = start(GRANTED, '''
from gpsd_attack import *
connection = watch()
assert fix(connection) != "closed"
there = socket.socket(fileno=int(sys.argv[1]))
there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno()]))])
there.recv(1)
''', there.fileno())
_, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
connection = socket.socket(fileno=array.array("i", ancillary[0][2])[0])
here.send(b"x")
end(child)
while line(connection) is not None:
    pass
print("closed")
