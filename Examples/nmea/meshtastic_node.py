#!/usr/bin/env python3
"""The GPS of a Meshtastic node as a receiver of locationd: `meshtastic_node.py HOST`, at the Unix socket that the
service manager passes, or at one that is named after HOST. It needs the package meshtastic of PyPI.

It sends each position of the node once, with the time of that position, and the last one when locationd connects.
"""
import contextlib
import functools
import os
import socket
import sys
import time

from meshtastic.tcp_interface import TCPInterface


def angle(degrees, width, signs):
    minutes = round(abs(degrees) * 6_000_000)
    return f"{minutes // 6_000_000:0{width}}{minutes % 6_000_000 / 100_000:08.5f},{signs[degrees < 0]}"


def sentences(position):
    where = angle(position["latitude"], 2, "NS") + "," + angle(position["longitude"], 3, "EW")
    then = time.gmtime(position["time"])
    clock = time.strftime("%H%M%S", then)
    bodies = [f"GNRMC,{clock},A,{where},,,{time.strftime('%d%m%y', then)},,,A",
              f"GNGGA,{clock},{where},1,,,{position.get('altitude', '')},M,,M,,"]
    sums = [functools.reduce(lambda sum, byte: sum ^ byte, body.encode(), 0) for body in bodies]
    return "".join(f"${body}*{sum:02X}\r\n" for body, sum in zip(bodies, sums)).encode()


if "LISTEN_FDS" in os.environ:
    listener = socket.socket(fileno=3)
else:
    listener = socket.socket(socket.AF_UNIX)
    os.umask(0o177)  # Whoever may connect learns where the node is: this user and root.
    listener.bind(sys.argv[2])
    listener.listen(1)
while True:
    with listener.accept()[0] as connection:
        last = None
        try:
            with contextlib.closing(TCPInterface(sys.argv[1])) as node:
                while True:
                    position = (node.getMyNodeInfo() or {}).get("position", {})
                    if "latitude" in position and position.get("time") not in (None, last):
                        last = position["time"]
                        connection.sendall(sentences(position))
                    time.sleep(1)
        except OSError as error:
            print(error, file=sys.stderr)
            time.sleep(1)
