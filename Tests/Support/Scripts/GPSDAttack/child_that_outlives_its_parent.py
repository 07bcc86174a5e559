ready, told = os.pipe()
os.set_inheritable(told, True)
end(start(GRANTED, '''
from gpsd_attack import *
connection = watch()
assert fix(connection) != "closed"
if os.fork():
    os._exit(0)
while line(connection) is not None:
    pass
os.write(int(sys.argv[1]), b"closed")
''', told))
os.close(told)
print(os.read(ready, 100).decode())
