"""An HTTP server answers a report with something endless: memory, processor and descriptors of the publisher."""

import os
import time

from hostile_server import BEHAVIOURS, Server
from publishing import Scene, wait

NAMES = ["endless-body", "endless-chunks", "huge-header", "many-fields", "endless-line", "interim", "slow-body",
         "silent"]
SECONDS = 8
#: The memory that an answer may cost, in MB: its kept part is bounded by 64 KiB, libcurl's part by 1 MB.
MEMORY = 8


def attack(bin):
    figures, faults = [], []
    for name in NAMES:
        server = Server(BEHAVIOURS[name])
        with Scene(bin) as scene:
            publisher = scene.publisher(f'broker = "http://127.0.0.1:{server.port}"\nformat = "json"\n')
            wait("report", lambda: publisher.waiting() > 0)
            first, peak = publisher.anonymous_megabytes(), 0.0
            before, start = publisher.processor_seconds(), time.monotonic()
            while time.monotonic() - start < SECONDS:
                peak = max(peak, publisher.anonymous_megabytes())
                time.sleep(0.01)
            share = (publisher.processor_seconds() - before) / SECONDS
            descriptors = len(os.listdir(f"/proc/{publisher.process.pid}/fd"))
            figures.append(f"{name} {peak - first:+.1f} MB, {share:.0%} of a processor, {descriptors} descriptors, "
                           f"{server.connections} connections")
            if peak - first > MEMORY:
                faults.append(f"{name} takes {peak - first:.0f} MB")
            if descriptors > 40:
                faults.append(f"{name} leaves {descriptors} descriptors open")
        server.close()
    return "; ".join(figures), "; ".join(faults) or None
