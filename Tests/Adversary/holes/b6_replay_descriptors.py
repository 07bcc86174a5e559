"""A recording that cannot be played, such as a folder, keeps a descriptor at each retry until none is left."""

import os
import tempfile
import time
from pathlib import Path

from daemon import Daemon
from programs import App, Programs
import wire

WATCHED_SECONDS = 20


def attack(bin):
    """Returns the descriptors that three daemons keep open, and a fault if there are any."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = f"{folder}/pipe"
        os.mkfifo(pipe)
        programs = Programs(folder)
        daemons = []
        for number, path in enumerate([folder, "/dev/null", pipe]):
            own = Path(folder) / str(number)
            own.mkdir()
            daemons.append((Daemon(bin / "locationd", own, f"replay:{path}"), path))
        app = App(programs, "app")
        try:
            before = [kept(daemon, path) for daemon, path in daemons]
            connections = []
            for daemon, _ in daemons:
                daemon.grant(app.identity, os.getuid())
                connections.append(app.connect(daemon.location))
                connections[-1].send(wire.LOCATION + ".Subscribe", more=True)
            time.sleep(WATCHED_SECONDS)
            counts = [kept(daemon, path) - old for (daemon, path), old in zip(daemons, before)]
        finally:
            app.stop()
            for daemon, _ in daemons:
                daemon.stop()
    figure = (f"descriptors kept after {WATCHED_SECONDS} s: folder {counts[0]}, /dev/null {counts[1]}, "
              f"FIFO {counts[2]}")
    return figure, "retries keep descriptors" if any(counts) else None


def kept(daemon, path):
    """Returns the number of the daemon's descriptors that are open at `path`."""
    links = Path(f"/proc/{daemon.process.pid}/fd")
    return sum(os.readlink(links / name) == path for name in os.listdir(links))
