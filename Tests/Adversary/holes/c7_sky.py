"""A program of the user at the machine, or a reader of metrics, learns when the receiver has a fix or moves."""

import json
import os
import subprocess
import tempfile
import time

from daemon import Daemon
from programs import App, Programs
from receiver import Receiver, sentence
import wire

WORLD_SECONDS = 10


def attack(bin):
    receiver = Receiver()
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        daemon = Daemon(bin / "locationd", folder, receiver.specification)
        environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime))
        app = App(Programs(folder), "app")
        seen = {}
        try:
            daemon.grant(app.identity, os.getuid())
            watching = app.connect(daemon.location)
            watching.send(wire.LOCATION + ".Subscribe", more=True)
            for world in ("moving", "dark", "moving again"):
                answers, end = set(), time.monotonic() + WORLD_SECONDS
                count = 0
                while time.monotonic() < end:
                    if world == "dark":
                        os.write(receiver.controller, sentence("GPRMC,,V,,,,,,,,,,N").encode())
                    else:
                        receiver.write_epoch()
                    time.sleep(0.1)
                    count += 1
                    # The opening of the port comes first.
                    if count < 30 or count % 5:
                        continue
                    answers.add(json.dumps(wire.call_once(
                        daemon.manage, wire.MANAGE + ".ListReceivers", {"forOthers": True}), sort_keys=True))
                    metrics = subprocess.run(
                        [bin / "locationctl", "metrics"], env=environment, capture_output=True, text=True)
                    answers.add("\n".join(line for line in metrics.stdout.splitlines() if "uptime" not in line))
                    watching.received()
                seen[world] = answers
        finally:
            app.stop()
            daemon.stop()
            receiver.close()
    figure = "; ".join(f"{world}: {len(answers)} different answers" for world, answers in seen.items())
    worlds = list(seen.values())
    return figure, None if all(world == worlds[0] for world in worlds) and len(worlds[0]) == 2 else "the answers change"
