"""libgps as the judge of every line: gps_unpack(3) of each line that the front writes for a recorded log."""

import ctypes
import json
import subprocess
from pathlib import Path

from comparison import Recorder
from programs import Running
from scene import CONFIGURATION, free_port, wire
from waiting import until

LOGS = Path(__file__).parent.parent / "Corpus" / "logs"
# gps.h of API 3.22: the expected effect of a report, as a bit of the mask, and reports that libgps ignores.
MASKS = {"VERSION": 28, "DEVICES": 20, "DEVICE": 19, "WATCH": 29, "TPV": 10, "SKY": 15, "ERROR": 31, "ATT": 14,
         "GST": 27}
IGNORED = {"POLL"}
SIZE = 400_000


class Library:
    """libgps."""

    def __init__(self):
        self.library = ctypes.CDLL("libgps.so.28")
        self.buffer = ctypes.create_string_buffer(SIZE)

    def fault_of(self, line):
        """Returns what libgps has against a line of JSON, or None."""
        ctypes.memset(self.buffer, 0, SIZE)
        result = self.library.gps_unpack((line + "\r\n").encode(), self.buffer)
        mask = ctypes.c_uint64.from_buffer(self.buffer, 0).value
        report = json.loads(line)
        kind = report["class"]
        if result != 0:
            return f"gps_unpack returns {result}"
        # For a device that goes, gpsd writes the number 0 as its time. libgps expects a text, and ignores the line.
        is_gone = kind == "DEVICE" and report.get("activated") == 0
        if kind in IGNORED or is_gone or (kind == "SKY" and not report.get("satellites")):
            return None
        return None if mask >> MASKS[kind] & 1 else f"it does not set bit {MASKS[kind]} of {mask:#x}"


class Replay:
    """A locationd that plays a log, and a client of its front that keeps every line."""

    def __init__(self, binaries, folder, log, app):
        folder.mkdir()
        port = free_port()
        file, runtime = folder / "locationd.toml", folder / "run"
        file.write_text(CONFIGURATION.format(port=port).replace("[geoclue]\nenabled = true\n", ""))
        self.daemon = Running(
            [binaries / "locationd", "--config", file, "--runtime-directory", runtime, "--state-directory",
             folder / "state", "--receiver", f"replay:{log}@50"], folder)
        self.manage = str(runtime / "manage" / wire.MANAGE)
        until(self._answers, lambda: f"locationd: {self.daemon.text()}")
        self._call("Grant", app=app, level="always")
        self.client = Recorder(port)

    def _call(self, method, **parameters):
        return wire.call_once(self.manage, f"{wire.MANAGE}.{method}", parameters)

    def _answers(self):
        try:
            return self._call("GetStatistics")
        except (OSError, wire.Late, wire.Closed):
            return None

    def lines(self):
        """Returns all lines, once the log is over."""
        def is_over():
            self.client.read()
            return self._call("ListReceivers")["receivers"][0]["state"] == "ended"
        until(is_over, "the end of the log", 300)
        self.client.socket.sendall(b"?DEVICES;?POLL;?DEVICE;?FOO;?VERSION;")
        until(lambda: self.client.read() or b"FOO" in self.client.data, "the last replies")
        return self.client.lines()


def run(scene, say):
    """Plays every log of the corpus. Returns whether libgps reads every line."""
    library, is_good, total = Library(), True, 0
    for log in sorted(LOGS.glob("*.nmea")):
        replay = Replay(scene.binaries, scene.folder / f"replay-{log.stem}", log, scene.runner_app())
        try:
            lines = replay.lines()
        finally:
            replay.daemon.stop()
        total += len(lines)
        for line in lines:
            if fault := library.fault_of(line):
                say(f"  {log.name}: {fault}: {line[:160]}")
                is_good = False
    say(f"  libgps read {total} lines of {len(list(LOGS.glob('*.nmea')))} logs")
    return is_good


def is_there():
    """Returns whether libgps is installed."""
    return subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, text=True,
                          check=False).stdout.find("libgps.so.28") >= 0
