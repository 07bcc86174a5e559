"""One call of 30 MB over the bus, repeated, leaves 30 MB in the daemon."""

import struct
import time

from bus import GEOCLUE, MANAGER, PEER, geoclue_front
SIZE = 30_000_000
GROWTH_MEGABYTES = 8


def attack(programs):
    with geoclue_front(programs) as (_, daemon, program):
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
