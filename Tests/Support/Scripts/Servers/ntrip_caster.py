"""A caster by script: a port, then a line of JSON with what it does.

Each connection's request and the lines after it are printed. The answer is "answer", or "table" for the path /; both
are hexadecimal digits. With "split", each byte is a TCP segment of its own. "repeat" follows the answer without end.
The connection stays open until the client closes it, unless "closes" is true.
"""

import json
import socket
import ssl
import sys
import threading


def serve(connection, plan):
    if "certificate" in plan:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(plan["certificate"], plan["key"])
        connection = context.wrap_socket(connection, server_side=True)
    request = b""
    while not request.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return
        request += byte
    print("request", request.decode("latin-1").replace("\r\n", "|"), flush=True)
    is_table = request.startswith(b"GET / ")
    answer = bytes.fromhex(plan["table" if is_table and "table" in plan else "answer"])
    threading.Thread(target=listen, args=(connection,), daemon=True).start()
    if plan.get("split"):
        for byte in answer:
            connection.sendall(bytes([byte]))
    else:
        connection.sendall(answer)
    repeated = bytes.fromhex(plan.get("repeat", "")) * 64
    while repeated:
        connection.sendall(repeated)
    if plan.get("closes"):
        connection.shutdown(socket.SHUT_RDWR)


def listen(connection):
    """Prints the client's lines, until it closes the connection, which discards everything unsent."""
    try:
        for line in connection.makefile("rb"):
            print("line", line.decode("latin-1").rstrip(), flush=True)
    except OSError:
        pass
    print("closed", flush=True)


def attempt(connection, plan):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        serve(connection, plan)
    except OSError:
        print("failed", flush=True)


server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("listening", flush=True)
while True:
    client = server.accept()[0]
    threading.Thread(target=attempt, args=(client, json.loads(sys.argv[2])), daemon=True).start()
