"""A member of the group locationd reads from the receivers' list how far away another user's region is."""

import json
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from daemon import Daemon
from programs import ATTACKER, App, Programs, find_interpreter
from receiver import Receiver
import wire

WATCHED_SECONDS = 20
# The distance of the region in degrees of latitude, and the interval between two fixes that it leads to, in seconds.
PLACES = {"1 km": (0.009, 10), "60 km": (0.54, 300)}

MEMBER = """
import json, socket, sys, time
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
shown = []
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    connection.sendall(b'{"method":"io.locationd.Manage.ListReceivers"}\\0')
    reply = b""
    while not reply.endswith(b"\\0"):
        reply += connection.recv(65536)
    receiver = json.loads(reply[:-1])["parameters"]["receivers"][0]
    view = [receiver["state"], receiver["fixes"], receiver.get("baudRate")]
    if not shown or shown[-1] != view:
        shown.append(view)
    time.sleep(0.1)
print(json.dumps(shown))
"""


def attack(bin):
    """Returns how often the list changes for a near and a far region, and a fault if the two differ."""
    if os.getuid() != 0:
        return "not tried: a second user needs root", None
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        threads = [threading.Thread(target=watch, args=(bin, Path(folder) / name.replace(" ", ""), name, counts))
                   for name in PLACES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    figure = ", ".join(f"region at {name}: {counts.get(name)} changes" for name in PLACES)
    figure += f" in {WATCHED_SECONDS} s"
    if any(counts.get(name) is None for name in PLACES):
        return figure, "the attack could not be carried out"
    near, far = (counts[name] for name in PLACES)
    return figure, "the list shows the distance" if abs(near - far) > 1 else None


def watch(bin, folder, name, counts):
    """Counts the changes that a member sees while another user's app monitors a region."""
    folder.mkdir(mode=0o755)
    distance, interval = PLACES[name]
    receiver = Receiver()
    daemon = Daemon(bin / "locationd", folder, receiver.specification)
    app = App(Programs(folder), "app")
    isDone = threading.Event()
    writer = threading.Thread(target=write, args=(receiver, isDone))
    writer.start()
    try:
        daemon.grant(app.identity, os.getuid())
        region = {"identifier": "secret", "latitude": 48.12 + distance, "longitude": 11.17, "radius": 100,
                  "notifyOnEntry": True, "notifyOnExit": True}
        app.connect(daemon.location).call(wire.LOCATION + ".StartMonitoringRegion", {"region": region})
        deadline = time.monotonic() + 90
        while True:
            state = wire.call_once(daemon.manage, wire.MANAGE + ".ListReceivers")["receivers"][0]
            if state.get("interval") == interval and (interval < 30 or state["state"] == "resting"):
                break
            if time.monotonic() > deadline:
                return
            time.sleep(0.5)
        for path in (daemon.runtime, Path(daemon.manage).parent):
            path.chmod(0o755)
        os.chown(daemon.manage, -1, ATTACKER)
        interpreter, home = find_interpreter()
        reply = subprocess.run(
            [interpreter, "-s", "-S", "-c", MEMBER, daemon.manage, str(WATCHED_SECONDS)], user=ATTACKER, group=ATTACKER,
            extra_groups=[], env={"PYTHONHOME": home}, cwd="/", stdout=subprocess.PIPE, check=True)
        counts[name] = len(json.loads(reply.stdout)) - 1
    finally:
        isDone.set()
        writer.join()
        app.stop()
        daemon.stop()
        receiver.close()


def write(receiver, isDone):
    """Writes an epoch each second, all at nearly the same place."""
    while not isDone.wait(1):
        receiver.tenths = int(time.time()) * 10 - 1
        receiver.write_epoch()
