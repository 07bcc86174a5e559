"""A broker sends a message of 268 MB, or messages that it never releases, to a publisher that subscribed to nothing."""

import time

from hostile_server import BEHAVIOURS, Server
from publishing import Scene, wait

SECONDS = 8
# The memory that a publisher may need in addition, in MB.
LIMIT = 8


def peak(bin, behaviour, version):
    server = Server(BEHAVIOURS[behaviour])
    with Scene(bin) as scene:
        publisher = scene.publisher(
            f'broker = "mqtt://127.0.0.1:{server.port}"\nformat = "json"\nmqtt-version = "{version}"\n')
        wait("connection", lambda: server.connections > 0)
        before = greatest = publisher.anonymous_megabytes()
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            greatest = max(greatest, publisher.anonymous_megabytes())
            time.sleep(0.002)
        server.close()
        return before, greatest, publisher.processor_seconds()


def attack(bin):
    figures, faults = [], []
    for behaviour in ("packet", "unreleased", "pings"):
        for version in ("3.1.1", "5"):
            before, greatest, processor = peak(bin, behaviour, version)
            figures.append(f"{behaviour} {version}: {before:.1f} to {greatest:.1f} MB, {processor:.1f} s of CPU")
            if greatest > before + LIMIT:
                faults.append(f"{behaviour} over MQTT {version} took {greatest:.0f} MB")
            if processor > SECONDS / 2:
                faults.append(f"{behaviour} over MQTT {version} took {processor:.1f} s of CPU in {SECONDS} s")
    return "; ".join(figures), "; ".join(faults) or None
