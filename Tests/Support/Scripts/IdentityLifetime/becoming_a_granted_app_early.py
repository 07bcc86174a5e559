# The script begins with AS_ANOTHER_USER.
halt()
connection = new()
ready, told = os.pipe()
child = os.fork()
if child == 0:
    if AS_ANOTHER_USER:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    connect(connection)
    become(GRANTED, "signal.pause()")
os.close(told)
os.read(ready, 1)
while os.readlink(f"/proc/{child}/exe") != GRANTED:
    time.sleep(0.001)
go_on()
print(ask(connection))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
print(ask(connection))
