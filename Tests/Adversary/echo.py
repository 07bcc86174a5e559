"""The control: sends back the data received on a descriptor, and does nothing else.

Usage: echo.py DESCRIPTOR. Its response time shows the delays that the machine's other work causes for any process.
"""

import socket
import sys


def main():
    peer = socket.socket(fileno=int(sys.argv[1]))
    while data := peer.recv(4096):
        peer.sendall(data)


main()
