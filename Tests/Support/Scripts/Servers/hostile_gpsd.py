import socket, sys
name = b"/dev/\x1b[2J\x1b]0;x\x07\\u001b[31m\\n2026-01-01 notice locationd : all is well\xc2\x9b\xe2\x80\xae"
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client = listener.accept()[0]
    client.recv(1)
    client.sendall(b'{"class":"VERSION","release":"3.22"}\n'
        b'{"class":"TPV","device":"' + name + b'","mode":3,"time":"2026-03-14T09:26:01.000Z","lat":1.5,"lon":2.5}\n'
        b'{"class":"DEVICE","path":"' + name + b'","activated":0}\n')
