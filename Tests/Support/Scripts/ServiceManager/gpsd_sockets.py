# The client's connection waits for the daemon to start.
first = connect_to_gpsd(3)
child = start()
told()
print(greeting(first))
for index in [2, 3]:
    print(greeting(connect_to_gpsd(index)))
print(ask(connect()))
os.kill(child, signal.SIGTERM)
told()
print(ended(child))
