"""One call of 30 MB over the bus, repeated, leaves 30 MB in the daemon."""

import struct
import tempfile
import time

from bus import GEOCLUE, MANAGER, Bus, Program
from daemon import Daemon

PEER = "org.freedesktop.DBus.Peer"
SIZE = 30_000_000
GROWTH_MEGABYTES = 8


def attack(programs):
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        bus = Bus(folder)
        daemon = Daemon(programs / "locationd", folder, "simulated", configuration="[geoclue]\nenabled = true\n",
                        environment={"DBUS_SYSTEM_BUS_ADDRESS": bus.address})
        try:
            program = Program(bus.path)
            deadline = time.monotonic() + 60
            while program.call(GEOCLUE, MANAGER, PEER, "Ping") != 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            before = daemon.anonymous_megabytes()
            body = struct.pack("<I", SIZE) + b"x" * SIZE + b"\0"
            for _ in range(5):
                program.call(GEOCLUE, MANAGER, PEER, "Ping", "s", body)
            program.close()
            time.sleep(1)
            after = daemon.anonymous_megabytes()
            fault = daemon.stop()
            if after - before > GROWTH_MEGABYTES:
                fault = f"RssAnon grew by {after - before:.1f} MB"
            return f"RssAnon {before:.1f} MB before, {after:.1f} MB after", fault
        finally:
            daemon.process.kill()
            bus.stop()
