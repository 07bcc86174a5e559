"""A user's subordinate IDs take all room for connections, and no other user can connect.

Forty IDs of a range of /etc/subuid connect as often as a user may, to a daemon with 1,024 descriptors.
"""

import os
import tempfile
import time
from pathlib import Path

import wire
from daemon import Daemon
from users import Running

MEASURES_TIMES = True
FIRST_ID = 2_000_000_000
IDS = 40
CONNECTIONS_PER_ID = 256
CALLS = 50
TIMEOUT_SECONDS = 2


def connect_as_often_as_possible(path):
    """Holds connections, and replaces those that were closed. It makes one every 50 ms: the room is attacked, not the
    processor."""
    held = []
    while True:
        held = [connection for connection in held if is_open(connection)]
        if len(held) < CONNECTIONS_PER_ID:
            try:
                connection = wire.connect(path)
                connection.setblocking(False)
                connection.send(b'{"method":"io.locationd.Location.GetAuthorization"}\0')
                held.append(connection)
            except (OSError, wire.Late):
                pass
        time.sleep(0.05)


def is_open(connection):
    try:
        while data := connection.recv(4096):
            # Its error has come: it is of no more use.
            if b"LimitExceeded" in data:
                break
    except BlockingIOError:
        return True
    except OSError:
        pass
    connection.close()
    return False


def call_often(path):
    """Returns the milliseconds of each call on a connection of its own, and None for those that failed."""
    times = []
    for _ in range(CALLS):
        start = time.monotonic()
        try:
            wire.call_once(path, wire.LOCATION + ".GetAuthorization", timeout_seconds=TIMEOUT_SECONDS)
            times.append((time.monotonic() - start) * 1000)
        except (OSError, wire.Late, wire.Closed, wire.Refused):
            times.append(None)
        time.sleep(0.01)
    return times


def launcher(bin, folder):
    """Returns a program that becomes the daemon, with a /etc/subuid of its own and 1,024 descriptors."""
    subuid = folder / "subuid"
    subuid.write_text(f"64994:{FIRST_ID}:65536\n")
    subuid.chmod(0o644)
    path = folder / "locationd"
    path.write_text(f"""#!/bin/sh
ulimit -n 1024
exec unshare --mount sh -c 'mount --bind {subuid} /etc/subuid && exec {bin / "locationd"} "$@"' sh "$@"
""")
    path.chmod(0o755)
    return path


def attack(bin):
    if os.geteuid() != 0 or not os.path.exists("/etc/subuid"):
        return "not carried out: needs root and /etc/subuid", None
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        os.chmod(folder, 0o755)
        daemon = Daemon(launcher(bin, Path(folder)), folder, "simulated")
        attackers = []
        try:
            os.chmod(daemon.runtime, 0o755)
            attackers = [Running(FIRST_ID + index, connect_as_often_as_possible, daemon.location)
                         for index in range(IDS)]
            time.sleep(5)
            others = [Running(uid, call_often, daemon.location) for uid in (64_991, 64_992)]
            times = [time for other in others for time in other.result() or [None]]
        finally:
            for attacker in attackers:
                attacker.stop()
            daemon.stop()
    failed = sum(milliseconds is None for milliseconds in times)
    worst = max((milliseconds for milliseconds in times if milliseconds is not None), default=None)
    figure = f"{failed} of {len(times)} calls of others failed" + (
        f", the others took {worst:.0f} ms at most" if worst is not None else "")
    return figure, f"{failed} of {len(times)} calls of others failed" if failed else None
