"""GetCompass answers otherwise once there was a fix: an app with reduced accuracy learns when the sky opened."""

import json
import os
import tempfile
import time

from daemon import Daemon
from programs import App, Programs
from receiver import Receiver, sentence
import wire

DARK_SECONDS, OPEN_SECONDS = 5, 15


def attack(bin):
    receiver = Receiver()
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        daemon = Daemon(bin / "locationd", folder, receiver.specification)
        app = App(Programs(folder), "app")
        try:
            wire.call_once(daemon.manage, wire.MANAGE + ".Grant", {
                "app": app.identity, "uid": os.getuid(), "level": "always", "accuracy": "reduced"})
            watching, asking = app.connect(daemon.location), app.connect(daemon.location)
            watching.send(wire.LOCATION + ".Subscribe", more=True)
            answers, start = set(), time.monotonic()
            while (passed := time.monotonic() - start) < DARK_SECONDS + OPEN_SECONDS:
                if passed < DARK_SECONDS:
                    os.write(receiver.controller, sentence("GPRMC,,V,,,,,,,,,,N").encode())
                else:
                    receiver.write_epoch()
                answers.add(json.dumps(asking.call(wire.LOCATION + ".GetCompass")))
                time.sleep(0.1)
        finally:
            app.stop()
            daemon.stop()
            receiver.close()
    return f"answers: {sorted(answers)}", "the answer changes with the sky" if len(answers) > 1 else None
