"""200 GeoClue clients at once, an idle one, and calls while a prompt is open: the figures of the issue's limits."""

import json
import subprocess
import time
from pathlib import Path

from programs import Running
from track import epoch_at
from waiting import until

COUNT, SECONDS = 200, 60
# An app has at most 128 clients.
APPS = 2
LATE_SECONDS = 0.25
IDLE_SECONDS = 60
# Deliveries are written to the disk within a minute. The next fix is due three minutes after the last one.
SETTLING_SECONDS = 75
REPLY_SECONDS = 1


def percentile(values, share):
    """Returns the value below which this share of the values is."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


class Clients:
    """Client objects of GeoClue in a process of its own, which is an app of its own."""

    def __init__(self, scene, name, *arguments):
        self.program = scene.folder / name
        if not self.program.exists():
            self.program.write_bytes(Path(interpreter()).read_bytes())
            self.program.chmod(0o755)
        self.app = f"exe:{self.program}"
        self.running = Running(
            [self.program, "-B", Path(__file__).parent / "soak_clients.py", scene.bus.address, *map(str, arguments)],
            scene.folder, scene.bus.environment)

    def reports(self):
        """Returns what the process has written, one object a line."""
        return [json.loads(line) for line in self.running.text().splitlines() if line.endswith("}")]

    def stop(self):
        self.running.stop()


def interpreter():
    """Returns the path of a Python that runs from another folder, because its library is in its usual place."""
    command = ["/usr/bin/python3", "-c", "import os; print(os.readlink('/proc/self/exe'))"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def many(scene, say):
    """Measures how late the locations of many clients are. Returns whether none is too late."""
    names = [f"many-{number}" for number in range(APPS)]
    for name in names:
        scene.grant(f"exe:{scene.folder / name}")
    apps = [Clients(scene, name, "many", COUNT // APPS, SECONDS) for name in names]
    try:
        for clients in apps:
            until(clients.running.has_ended, "the clients", SECONDS + 120)
    finally:
        for clients in apps:
            clients.stop()
    reports = [report for clients in apps for report in clients.reports()]
    if len(reports) < APPS:
        say(f"  {COUNT} clients: {' '.join(clients.running.text()[-300:] for clients in apps)}")
        return False
    written = scene.track.written
    delays, missing = [], 0
    for arrivals in [arrivals for report in reports for arrivals in report["arrivals"]]:
        # The first location, which a client has at once, may be an old one.
        missing += sum(count - arrivals[0][1] != number for number, (_, count, _) in enumerate(arrivals))
        missing += SECONDS if len(arrivals) < 2 else 0
        delays += [moment - written[epoch_at(latitude)] for moment, _, latitude in arrivals[1:]]
    if not delays:
        say(f"  {COUNT} clients: none was told of a second location within {SECONDS} s")
        return False
    is_good = max(delays) <= LATE_SECONDS and not missing
    median, late, worst = (1e3 * value for value in (percentile(delays, 0.5), percentile(delays, 0.99), max(delays)))
    say(f"  {COUNT} clients at 1 Hz for {SECONDS} s, {len(delays)} locations: median {median:.1f} ms, "
        f"99 % {late:.1f} ms, greatest {worst:.1f} ms, missing {missing}")
    return is_good


def idle(scene, say):
    """Counts the wake-ups of a daemon whose only client has started, while no fix is due. Returns whether there are
    none."""
    scene.witness.stop()
    scene.grant(f"exe:{scene.folder / 'idle'}")
    clients = Clients(scene, "idle", "hold", 4)
    try:
        until(clients.reports, lambda: f"the client: {clients.running.text()}", 120)
        until(lambda: scene.call("ListReceivers")["receivers"][0]["state"] == "resting", "the receiver to rest", 120)
        time.sleep(SETTLING_SECONDS)
        before = switches(scene.daemon.process.pid)
        time.sleep(IDLE_SECONDS)
        woken = switches(scene.daemon.process.pid) - before
    finally:
        clients.stop()
        # The parts after this one need its fixes.
        scene.start_witness()
    say(f"  idle with a started client: {woken} wake-ups in {IDLE_SECONDS} s")
    return woken == 0


def switches(process):
    """Returns how often the threads of a process have waited and gone on, proc(5)."""
    total = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            total += int(line.split()[1]) if line.startswith("voluntary_ctxt_switches") else 0
    return total


def prompt(scene, say):
    """Measures replies while a prompt is open. Returns whether none takes too long."""
    clients = Clients(scene, "prompted", "calls", 50)
    try:
        until(lambda: clients.running.has_ended(), "the calls", 120)
    finally:
        clients.stop()
    reports = clients.reports()
    if not reports:
        say(f"  calls while a prompt is open: {clients.running.text()[-300:]}")
        return False
    slowest = reports[-1]["slowest"]
    say(f"  calls while a prompt is open: {reports[-1]['calls']} calls, the slowest reply after {1e3 * slowest:.1f} ms")
    return slowest <= REPLY_SECONDS
