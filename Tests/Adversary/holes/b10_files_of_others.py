"""An attacker in control of the daemon learns from locationd-peers the files in all folders of all users."""

import os
import re
import socket
import tempfile
from pathlib import Path

from peers import Peers


def ask(path, request):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.settimeout(20)
        connection.connect(path)
        connection.send(request.encode())
        return connection.recv(8192).decode()


def attack(bin):
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        hidden = Path(folder) / "hidden"
        hidden.mkdir(mode=0o700)
        (hidden / "file").touch()
        (hidden / "link").symlink_to("file")
        socket.socket(socket.AF_UNIX).bind(str(hidden / "deaf"))
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind(str(hidden / "datagrams"))
        peers = Peers(bin / "locationd-peers", Path(folder))
        event = '{"method":"io.locationd.Location.MonitorVisits","parameters":{}}'
        answers = set()
        try:
            for name in ("none", "file", "link", "file/x", "", "deaf", "datagrams"):
                path = str(hidden / name).rstrip("/")
                for uid in (os.getuid(), 64_991):
                    answer = ask(peers.path, f"wake {uid} {path}\n{event}")
                    answers.add(re.sub(r"user \d+", "user U", answer.replace(path, "PATH")))
        finally:
            peers.stop()
    figure = f"{len(answers)} different answers for 14 paths without a listener"
    return figure, f"the answers differ: {sorted(answers)}" if len(answers) > 1 else None
