"""Users whose root folders never answer take all threads of the look-ups, and no new process is identified.

Eight user IDs, as a user has them in a range of subordinate ones, connect from a root folder of FUSE below overlayfs.
"""

import os
import tempfile
import time
from pathlib import Path

import hanging_root
import wire
from daemon import Daemon
from peers import Peers
from users import Running

MEASURES_TIMES = True
FIRST_ID = 2_000_000_000
IDS = 8
TIMEOUT_SECONDS = 15


def call_from_hanging_root(runtime):
    """Makes a call from such a root, and waits for the answer as long as this process lives."""
    with hanging_root.entered(runtime):
        connection = wire.Connection(wire.connect(wire.LOCATION))
        connection.send(wire.LOCATION + ".GetAuthorization")
        connection.receive(600)
        time.sleep(600)


def time_call(path):
    """Returns the milliseconds until a new connection has its first answer, or None if there is none in time."""
    start = time.monotonic()
    try:
        wire.call_once(path, wire.LOCATION + ".GetAuthorization", timeout_seconds=TIMEOUT_SECONDS)
    except (OSError, wire.Late, wire.Closed, wire.Refused):
        return None
    return (time.monotonic() - start) * 1000


def attack(bin):
    if os.geteuid() != 0 or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "not carried out: needs root and /dev/fuse", None
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        os.chmod(folder, 0o755)
        peers = Peers(bin / "locationd-peers", Path(folder))
        attackers = []
        try:
            daemon = Daemon(bin / "locationd", folder, "simulated", peers=peers.path)
            try:
                os.chmod(daemon.runtime, 0o755)
                attackers = [Running(FIRST_ID + index, call_from_hanging_root, str(daemon.runtime))
                             for index in range(IDS)]
                time.sleep(3)
                others = [Running(uid, time_call, daemon.location) for uid in (64_991, 64_992, 64_993, 0)]
                times = [other.result() for other in others]
                failed = sum(attacker.has_ended() for attacker in attackers)
            finally:
                # Only the end of their file systems ends the threads that wait for them.
                for attacker in attackers:
                    attacker.stop()
                daemon.stop()
        finally:
            peers.stop()
    refused = sum(milliseconds is None for milliseconds in times)
    worst = max((milliseconds for milliseconds in times if milliseconds is not None), default=None)
    figure = f"{len(times) - refused} of {len(times)} other users identified" + (
        f", the last after {worst:.0f} ms" if worst is not None else "")
    fault = None
    if failed:
        fault = f"{failed} of {IDS} attackers failed, so this says nothing"
    elif refused:
        fault = f"{refused} of {len(times)} other users were not identified within {TIMEOUT_SECONDS} s"
    elif worst > 2000:
        fault = f"another user waited {worst:.0f} ms"
    return figure, fault
