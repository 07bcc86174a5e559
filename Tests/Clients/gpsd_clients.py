"""The clients of gpsd. Each connects to 127.0.0.1 and the target's port."""

import os
import re
import subprocess

from client import Client, from_nmea
from programs import Running, Screen

SENTENCE = re.compile(r"\$G[PN]RMC,[\d.]+,A,(\d+\.\d+),N,(\d+\.\d+),E,")


class Pipe(Client):
    """gpspipe -w: the reports as they are."""

    name, packages, needs = "gpspipe -w", ("gpsd-clients",), "gpspipe"
    options = ("-w",)
    pattern = re.compile(r'"class":"TPV".*"lat":([-\d.]+),"lon":([-\d.]+)')

    def start(self, target):
        return Running(["gpspipe", *self.options, f"127.0.0.1:{target.port}"], target.folder)


class SentencePipe(Pipe):
    """gpspipe -r: sentences."""

    name, options = "gpspipe -r", ("-r",)
    tolerance = 0.0001

    def places(self, text):
        return [(from_nmea(latitude), from_nmea(longitude)) for latitude, longitude in SENTENCE.findall(text)]


class RawPipe(SentencePipe):
    """gpspipe -R: the receiver's bytes, which an app with reduced accuracy does not get."""

    name, options, reduced = "gpspipe -R", ("-R",), "nothing"


class Cgps(Client):
    """cgps in a terminal."""

    name, packages, needs = "cgps", ("gpsd-clients", "tmux"), "cgps"
    tolerance = 0.000001
    pattern = re.compile(r"Latitude:\s+([-\d.]+) N.*?Longitude:\s+([-\d.]+) E", re.DOTALL)

    def start(self, target):
        return Screen(["cgps", "-s", f"127.0.0.1:{target.port}"], target.folder)


class Gpsmon(Client):
    """gpsmon in a terminal. It shows the receiver's bytes, as gpspipe -R does."""

    name, packages, needs, reduced = "gpsmon", ("gpsd-clients", "tmux"), "gpsmon", "nothing"
    tolerance = 0.0001

    def start(self, target):
        return Screen(["gpsmon", f"127.0.0.1:{target.port}"], target.folder)

    places = SentencePipe.places


class Gpxlogger(Client):
    """gpxlogger. It ends after some seconds without a report unless it is told to go on."""

    name, packages, needs = "gpxlogger", ("gpsd-clients", "libxml2-utils"), "gpxlogger"
    pattern = re.compile(r'<trkpt lat="([-\d.]+)" lon="([-\d.]+)">')

    def start(self, target):
        return Running(["gpxlogger", "-r", "-i", "600", f"127.0.0.1:{target.port}"], target.folder)

    def check(self, text):
        file = text[text.find("<?xml"):]
        result = subprocess.run(["xmllint", "--noout", "-"], input=file, capture_output=True, text=True, check=False)
        return None if result.returncode == 0 else f"its file is not valid: {result.stderr.splitlines()[0]}"


class Gpscsv(Client):
    """gpscsv, which writes a table."""

    name, packages, needs = "gpscsv", ("gpsd-clients",), "gpscsv"
    pattern = re.compile(r"^\d{4}-[^,]*,([-\d.]+),([-\d.]+),", re.MULTILINE)

    def start(self, target):
        return Running(["gpscsv", f"127.0.0.1:{target.port}"], target.folder)


class Script(Client):
    """A Python script with a client's library. PORT stands for the port."""

    python, module, script = "/usr/bin/python3", "", ""
    pattern = re.compile(r"^place ([-\d.]+) ([-\d.]+)", re.MULTILINE)

    def start(self, target):
        return Running([self.python, "-c", self.script.replace("PORT", str(target.port))], target.folder)

    def is_there(self):
        command = [self.python, "-c", f"import {self.module}"]
        return os.path.exists(self.python) and subprocess.run(
            command, stderr=subprocess.DEVNULL, check=False).returncode == 0


class PythonGPS(Script):
    """Debian's python3-gps, the library of xgps and many scripts."""

    name, packages, module = "python3-gps", ("python3-gps",), "gps"
    script = """
import gps
session = gps.gps(host="127.0.0.1", port="PORT", mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
while session.read() == 0:
    if session.data["class"] == "TPV" and session.fix.mode > 1:
        print("place", session.fix.latitude, session.fix.longitude)
"""


class GpsdPy3(Script):
    """PyPI's gpsd-py3, which polls."""

    name, module = "gpsd-py3", "gpsd"
    script = """
import gpsd, time
gpsd.connect("127.0.0.1", PORT)
while True:
    fix = gpsd.get_current()
    if fix.mode > 1:
        print("place", *fix.position())
    time.sleep(0.5)
"""


class Gps3(Script):
    """PyPI's gps3, which Home Assistant has.

    Of lines that arrive together it reads only the first. The cell, which comes once in a quarter of an hour, may be
    one of the others.
    """

    name, module, reduced = "gps3", "gps3", "at most the cell"
    script = """
from gps3 import gps3
connection, stream = gps3.GPSDSocket(), gps3.DataStream()
connection.connect("127.0.0.1", PORT)
connection.watch()
while True:
    data = connection.next(timeout=1)
    if data == "":
        break  # the connection is closed
    if data and '"TPV"' in data:
        stream.unpack(data)
        if stream.TPV["mode"] > 1:
            print("place", stream.TPV["lat"], stream.TPV["lon"])
"""


class HomeAssistant(Script):
    """gps3's thread, as Home Assistant's integration gpsd reads it: the last values, at its leisure."""

    name, module, reduced = "Home Assistant's way", "gps3", "at most the cell"
    script = """
import time
from gps3.agps3threaded import AGPS3mechanism
mechanism = AGPS3mechanism()
mechanism.stream_data(host="127.0.0.1", port=PORT)
mechanism.run_thread()
while True:
    data = mechanism.data_stream
    if data.mode in (2, 3):
        print("place", data.lat, data.lon)
    time.sleep(0.2)
"""


class GpsdClient(Script):
    """PyPI's gpsdclient."""

    name, module = "gpsdclient", "gpsdclient"
    script = """
from gpsdclient import GPSDClient
with GPSDClient(host="127.0.0.1", port=PORT) as client:
    for report in client.dict_stream(filter=["TPV"]):
        if report["mode"] > 1:
            print("place", report["lat"], report["lon"])
"""


class GpsdClientAsync(Script):
    """PyPI's gpsd-client-async, which checks every message against its models."""

    name, module = "gpsd-client-async", "gpsd_client_async"
    script = """
import asyncio
from gpsd_client_async import GpsdClient, messages
async def read():
    async with GpsdClient("127.0.0.1", PORT) as client:
        async for report in client:
            if isinstance(report, messages.TPV) and report.mode > 1:
                print("place", report.lat, report.lon)
asyncio.run(read())
"""


class OpenCPN(Script):
    """The request of OpenCPN, which is not in Debian: without a semicolon and without a line end."""

    name, module = "OpenCPN's request", "socket"
    tolerance = 0.0001
    script = """
import socket
connection = socket.create_connection(("127.0.0.1", PORT))
connection.sendall(b'?WATCH={"class":"WATCH", "nmea":true}')
for line in connection.makefile():
    print(line, end="")
"""
    places = SentencePipe.places


class Collectd(Client):
    """collectd's plugin gps. It records the satellites, of which an app with reduced accuracy learns nothing."""

    name, packages, needs, reduced = "collectd", ("collectd-core",), "/usr/sbin/collectd", "nothing"
    pattern = re.compile(r"satellites-used interval=\S+ \S+:([1-9]\d*)")
    configuration = """\
Hostname "test"
BaseDir "{folder}"
Interval 1
LoadPlugin csv
<Plugin csv>
  DataDir stdout
</Plugin>
LoadPlugin gps
<Plugin gps>
  Host "127.0.0.1"
  Port "{port}"
  Timeout 0.5
  PauseConnect 1
</Plugin>
"""

    def start(self, target):
        file = target.folder / "collectd.conf"
        file.write_text(self.configuration.format(folder=target.folder, port=target.port))
        return Running([self.needs, "-f", "-C", file, "-P", target.folder / "collectd.pid"], target.folder)

    # It shows no place: a number of satellites counts as the place where they were seen, wherever that is.
    def places(self, text):
        return [(None, None) for _ in self.pattern.findall(text)]


class FoxtrotGPS(Client):
    """foxtrotgps on a display, with a picture of its window. Its places are not read: the picture is looked at."""

    name, packages, needs = "foxtrotgps", ("foxtrotgps", "xvfb", "imagemagick"), "foxtrotgps"
    reduced, shows_places = "cell", False

    def start(self, target):
        home = target.folder / "foxtrotgps"
        settings = home / ".config" / "glib-2.0" / "settings"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / "keyfile").write_text(
            f"[org/foxtrotgps]\ngpsd-host='127.0.0.1'\ngpsd-port='{target.port}'\n")
        return Running(["foxtrotgps"], target.folder, target.display.environment | {
            "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "GSETTINGS_BACKEND": "keyfile"})


def all_clients(python):
    """Returns the clients. `python` has the libraries of PyPI."""
    for client in (GpsdPy3, Gps3, HomeAssistant, GpsdClient, GpsdClientAsync):
        client.python = python
    return [client() for client in (
        Pipe, SentencePipe, RawPipe, Cgps, Gpsmon, Gpxlogger, Gpscsv, PythonGPS, GpsdPy3, Gps3, HomeAssistant,
        GpsdClient, GpsdClientAsync, OpenCPN, Collectd, FoxtrotGPS)]
