"""gpsd 3.22 and the front, fed the same epochs: message by message, every difference with its reason."""

import json
import socket
import time

WATCH = b'?WATCH={"enable":true,"json":true};\n'
SECONDS = 40
# Values that differ by rounding, or by where a computation is done.
TOLERANCES = {"lat": 1e-8, "lon": 1e-8, "track": 0.01, "speed": 0.01, "altHAE": 0.01, "altMSL": 0.01, "alt": 0.01,
              "geoidSep": 0.01}
# The reasons, by class and key. `*` is every key of a class, or its presence.
REASONS = {
    ("TPV", "magtrack"): "gpsd adds the magnetic variation of its own world model, which this service does not have",
    ("TPV", "magvar"): "likewise",
    ("TPV", "ept"): "gpsd's constant of 5 ms, which no receiver has measured",
    ("TPV", "eph"): "the error model: 95 % made from this service's 68 %, and not from DOP and constants",
    ("TPV", "epx"): "likewise", ("TPV", "epy"): "likewise", ("TPV", "epv"): "likewise", ("TPV", "sep"): "likewise",
    ("TPV", "eps"): "likewise", ("TPV", "epc"): "likewise", ("TPV", "epd"): "likewise",
    ("TPV", "climb"): "gpsd derives the rate of climb from two altitudes: here it is reported if the receiver does",
    ("TPV", "count"): "gpsd may report an epoch after each sentence that changes it: here an epoch is one report",
    ("SKY", "count"): "likewise",
    ("SKY", "xdop"): "gpsd computes the dilutions that a receiver does not report from the satellites",
    ("SKY", "ydop"): "likewise", ("SKY", "tdop"): "likewise", ("SKY", "gdop"): "likewise",
    ("SKY", "time"): "gpsd has it only if the receiver reports it with the satellites",
    ("DEVICE", "*"): "gpsd identifies the receiver again after the first sentences",
    ("DEVICES", "path"): "the ports are different ones", ("TPV", "device"): "likewise", ("SKY", "device"): "likewise",
    ("DEVICES", "native"): "gpsd's mode of the device, which a client of this service cannot change",
    ("DEVICES", "bps"): "the settings of the port are no matter of a client",
    ("DEVICES", "parity"): "likewise", ("DEVICES", "stopbits"): "likewise", ("DEVICES", "cycle"): "likewise",
    ("DEVICES", "activated"): "the ports were opened at different times",
    ("DEVICES", "flags"): "gpsd's flags are of what it has seen so far", ("DEVICES", "driver"): "likewise",
}


class Recorder:
    """A client that keeps every message."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.sendall(WATCH)
        self.socket.setblocking(False)
        self.data = b""

    def read(self):
        try:
            while data := self.socket.recv(65536):
                self.data += data
        except BlockingIOError:
            pass

    def lines(self):
        """Returns the complete lines so far."""
        return self.data.decode().split("\r\n")[:-1]


def by_epoch(lines):
    """Returns the last TPV with a fix of each time, the SKYs, and the number of each class."""
    reports, skies, counts, devices = {}, [], {}, {}
    for line in lines:
        report = json.loads(line)
        kind = report["class"]
        counts[kind] = counts.get(kind, 0) + 1
        if kind == "TPV" and report["mode"] > 1:
            reports[report["time"]] = report
        elif kind == "SKY" and report.get("satellites"):
            skies.append(report)
        elif kind == "DEVICES":
            devices = report["devices"][0]
    return reports, skies, counts, devices


def differences_of(kind, theirs, ours, found):
    """Adds the keys in which two reports differ to `found`, with an example of each."""
    for key in theirs.keys() | ours.keys():
        one, other = theirs.get(key), ours.get(key)
        is_near = key in TOLERANCES and None not in (one, other) and abs(one - other) <= TOLERANCES[key]
        if one != other and not is_near:
            found.setdefault((kind, key), (one, other))


def compare(gpsd_lines, front_lines):
    """Returns the differences by class and key, each with an example: gpsd's value and the front's."""
    their_reports, their_skies, their_counts, their_device = by_epoch(gpsd_lines)
    our_reports, our_skies, our_counts, our_device = by_epoch(front_lines)
    found = {}
    common = sorted(their_reports.keys() & our_reports.keys())
    if len(common) < 5:
        found["TPV", "epochs in common"] = (len(their_reports), len(our_reports))
    # The first and the last ones may be incomplete.
    for epoch in common[2:-1]:
        differences_of("TPV", their_reports[epoch], our_reports[epoch], found)
    if their_skies and our_skies:
        differences_of("SKY", their_skies[-1], our_skies[-1], found)
    elif their_skies:
        found["SKY", "none"] = (len(their_skies), 0)
    differences_of("DEVICES", their_device, our_device, found)
    for kind in their_counts.keys() | our_counts.keys():
        pair = their_counts.get(kind, 0), our_counts.get(kind, 0)
        if pair[0] != pair[1] and kind in ("TPV", "SKY"):
            found[kind, "count"] = pair
        elif 0 in pair:
            found[kind, "*"] = pair
    return found


def run(scene, gpsd, say):
    """Records both for a while, and says every difference. Returns whether each has a reason."""
    ours = Recorder(scene.port)
    scene.grant(scene.runner_app())
    theirs = Recorder(gpsd.port)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        ours.read()
        theirs.read()
        time.sleep(0.1)
    found = compare(theirs.lines(), ours.lines())
    unexplained = [pair for pair in found if pair not in REASONS]
    for (kind, key), (one, other) in sorted(found.items()):
        reason = REASONS.get((kind, key), "NO REASON IS KNOWN")
        say(f"  {kind}.{key}: gpsd {json.dumps(one)}, here {json.dumps(other)}: {reason}")
    return not unexplained
