"""The control: sends back what comes in on a descriptor, and does nothing else.

Usage: echo.py DESCRIPTOR. What it takes to answer is what the machine's other work costs anybody.
"""

import socket
import sys


def main():
    peer = socket.socket(fileno=int(sys.argv[1]))
    while data := peer.recv(4096):
        peer.sendall(data)


main()
