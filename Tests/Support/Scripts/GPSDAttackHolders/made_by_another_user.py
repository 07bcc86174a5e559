# The script begins with CLOSES: whether the other user closes the connection.
halt()
here, there = socket.socketpair()
child = os.fork()
if child == 0:
    os.setuid(65534)
    made = connect_tcp()
    there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [made.fileno()]))])
    if CLOSES:
        os._exit(0)
    signal.pause()
_, ancillary, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
connection = socket.socket(fileno=array.array("i", ancillary[0][2])[0])
if CLOSES:
    end(child)
go_on()
print(*outcomes([connection, connect_tcp()]), sep="\n")
if not CLOSES:
    os.kill(child, signal.SIGKILL)
