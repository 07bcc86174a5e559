halt()
connection = connect_tcp()
child = start(GRANTED, "signal.pause()")
while os.readlink(f"/proc/{child}/exe") != GRANTED:
    time.sleep(0.001)
go_on()
print(outcome(connection) in ("closed", "refused"))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
