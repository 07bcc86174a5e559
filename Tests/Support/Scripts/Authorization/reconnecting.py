"""An app that stays connected: prints its authorization at each change, and connects again when the daemon has ended.

usage: reconnecting.py SOCKET
"""
import json
import socket
import sys
import time


def statuses(path):
    """Yields the status of each reply, until the connection ends."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    call = {"method": "io.locationd.Location.GetAuthorization", "more": True}
    connection.sendall(json.dumps(call).encode() + b"\0")
    received = b""
    while chunk := connection.recv(65536):
        *messages, received = (received + chunk).split(b"\0")
        for message in messages:
            yield json.loads(message)["parameters"]["authorization"]["status"]


while True:
    try:
        for status in statuses(sys.argv[1]):
            print(status, flush=True)
    except OSError:
        pass
    print("lost", flush=True)
    time.sleep(0.05)
