"""The control: sends back the data received on a descriptor, and does nothing else.

Usage: echo.py DESCRIPTOR [FILE]. Its response time shows the delays that the machine's other work causes for any
process. With FILE, it appends the data to it and waits for the disk first, as a program that promises to survive a
power cut has to.
"""

import os
import socket
import sys


def main():
    peer = socket.socket(fileno=int(sys.argv[1]))
    file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if len(sys.argv) > 2 else None
    while data := peer.recv(4096):
        if file is not None:
            os.write(file, data)
            os.fdatasync(file)
        peer.sendall(data)


main()
