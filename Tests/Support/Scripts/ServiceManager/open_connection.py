# It is connected to before it starts: however slow the machine is, it is not idle.
idle = connect()
child = start()
told()
ask(idle)
# Others come and go for longer than it would wait.
deadline = time.monotonic() + 2.5
while time.monotonic() < deadline:
    other = connect()
    ask(other)
    other.close()
    time.sleep(0.3)
print(ask(idle))
idle.close()
print(told().split("\n")[0], ended(child))
