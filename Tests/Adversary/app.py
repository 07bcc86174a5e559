"""An app that connects to each path received on a descriptor, and sends the connection back.

Usage: app.py DESCRIPTOR, a packet socket. The app ends when it is closed.
"""

import socket
import sys

import wire


def main():
    control = socket.socket(fileno=int(sys.argv[1]))
    while path := control.recv(4096):
        try:
            with wire.connect(path, timeout_seconds=5) as connected:
                socket.send_fds(control, [b"connected"], [connected.fileno()])
        except (OSError, wire.Late) as error:
            control.send(str(error).encode())


main()
