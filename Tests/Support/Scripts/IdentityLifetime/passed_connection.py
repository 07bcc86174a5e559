here, there = socket.socketpair()
there.set_inheritable(True)
child = start(GRANTED, '''
stream, calls = connect(), connect()
send(stream, "Subscribe", more=True)
assert receive(stream) == "location" and ask(calls, "GetAuthorization") == "authorization"
numbers = array.array("i", [stream.fileno(), calls.fileno()])
there = socket.socket(fileno=int(sys.argv[1]))
there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
there.recv(1)
''', there.fileno())
_, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(8))
numbers = array.array("i", ancillary[0][2])
stream, calls = (socket.socket(fileno=number) for number in numbers)
print(receive(stream), ask(calls, "GetAuthorization"))
here.send(b"x")
end(child)
# Data from before its end.
stream.setblocking(False)
try:
    stream.recv(1 << 20)
except BlockingIOError:
    pass
stream.settimeout(120)
print(len(stream.recv(1 << 20)), ask(calls))
