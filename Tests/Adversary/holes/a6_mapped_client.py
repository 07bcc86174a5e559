"""A granted program whose socket is one of IPv6, as all of Java's are, is refused on gpsd's port at 127.0.0.1."""

import json
import os
import socket
import tempfile
import time
from pathlib import Path

import daemon as daemons
from daemon import Daemon


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def mode(family, address, port, timeout_seconds=10):
    """Returns the greatest mode of the reports that a client gets, or what else became of it."""
    with socket.socket(family) as client:
        client.settimeout(timeout_seconds)
        best = "closed without a report"
        try:
            client.connect((address, port))
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            for line in client.makefile():
                report = json.loads(line)
                if report["class"] == "TPV":
                    best = f"mode {report['mode']}"
                if best == "mode 3":
                    break
        except OSError as error:
            best += f" ({error})"
        return best


def attack(bin):
    port = free_port()
    usual = daemons.CONFIGURATION
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        daemons.CONFIGURATION = usual + f'[gpsd]\nlisten = ["127.0.0.1:{port}"]\n'
        try:
            daemon = Daemon(bin / "locationd", Path(folder), "simulated")
        finally:
            daemons.CONFIGURATION = usual
        try:
            daemon.grant(f"exe:{os.path.realpath('/proc/self/exe')}", os.getuid())
            time.sleep(2)
            ipv4 = mode(socket.AF_INET, "127.0.0.1", port)
            mapped = mode(socket.AF_INET6, "::ffff:127.0.0.1", port)
        finally:
            daemon.stop()
    figure = f"AF_INET: {ipv4}; AF_INET6: {mapped}"
    return figure, None if mapped == ipv4 else "the client with a socket of IPv6 is refused"
