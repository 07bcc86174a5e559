import os, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
s.sendall(b'{"method":"io.locationd.Location.RequestAuthorization",'
          b'"parameters":{"level":"whenInUse","reason":"to leave it"}}\0')
s.recv(65536)
s.sendall(b'{"method":"io.locationd.Location.Subscribe","more":true}\0')
while b"latitude" not in s.recv(65536):
    pass
owner = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == owner:
    time.sleep(0.01)
print("left", flush=True)
s.settimeout(120)
print("got", b"".join(iter(lambda: s.recv(65536), b"")).decode(), flush=True)
