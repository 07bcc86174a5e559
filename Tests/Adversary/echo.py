"""The control: sends back the data received on a descriptor, and does nothing else.

Usage: echo.py DESCRIPTOR [FILE | --from SOURCE]. Its response time shows the delays that the machine's other work
causes for any process. With FILE, it appends the data to it and waits for the disk first, as a program that promises
to survive a power cut has to. With SOURCE, the descriptor of a serial port, it reads the data there, as a program with
a receiver has to.
"""

import os
import socket
import sys


def read(source):
    try:
        return os.read(source, 4096)
    except OSError:
        return b""  # The other end of a pseudo-terminal is closed.


def main():
    peer = socket.socket(fileno=int(sys.argv[1]))
    source, file = int(sys.argv[1]), None
    if sys.argv[2:3] == ["--from"]:
        source = int(sys.argv[3])
    elif len(sys.argv) > 2:
        file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    while data := read(source):
        if file is not None:
            os.write(file, data)
            os.fdatasync(file)
        peer.sendall(data)


main()
