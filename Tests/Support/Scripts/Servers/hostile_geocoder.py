# A geocoder that answers each call with what is not of the interface: the second argument says with what. The first one
# is the path of its socket.
import socket, sys, threading

def envelope(parameters): return b'{"parameters":%s}\0' % parameters

ANSWERS = {
    "too long": envelope(b'{"placemarks":["%s"]}' % (b"evil" * 50_000)),
    "not JSON": b"evil\0",
    "other type": envelope(b'{"placemarks":[{"latitude":"evil","longitude":1}]}'),
    "no placemarks": envelope(b'{"placemarks":[{"latitude":91,"longitude":1e300,"name":"evil"}]}'),
    "two replies": b'{"parameters":{"placemarks":[]},"continues":true}\0' * 2,
    "deep": envelope(b'{"placemarks":' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
    "unknown error": b'{"error":"io.locationd.Geocoder.Evil","parameters":{"reason":"evil"}}\0',
    "unavailable": b'{"error":"io.locationd.Geocoder.Unavailable","parameters":{"reason":"evil"}}\0',
}

def serve(connection):
    received = b""
    while not received.endswith(b"\0"): received += connection.recv(4096)
    print("called", flush=True)
    kind = sys.argv[2]
    try:
        if kind == "silent": connection.recv(1)
        elif kind == "endless":
            while True: connection.sendall(b" " * 100)
        elif kind != "closing":
            connection.sendall(ANSWERS[kind])
            connection.recv(1)
    except OSError: pass
    print("closed", flush=True)
    connection.close()

listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("listening", flush=True)
while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
