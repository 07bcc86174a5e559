"""Programs by others that read NMEA 0183, and their display of locationd-nmea's output."""

import os
import subprocess
import sys

from nmea_senders import Journey
from programs import Running
from scene import free_port
from track import LATITUDE, STEP
from waiting import Late, until

sys.path.append(str(os.path.dirname(os.path.dirname(__file__)) + "/Adversary"))
import wire  # noqa: E402 (the folder is known only now)

PACKAGES = ("gpsbabel", "libqt5positioning5-plugins", "netcat-openbsd", "python3-pyqt5.qtpositioning", "socat")
PATH = os.environ["PATH"] + ":/usr/sbin"
NAMESPACE = "locationd-clients"

PYNMEA2 = """
import pynmea2, serial, sys
with serial.Serial(sys.argv[1], 4800, timeout=60) as port:
    while True:
        message = pynmea2.parse(port.readline().decode())
        if message.sentence_type == "GGA" and message.gps_qual: print("place", message.latitude, flush=True)
"""

# QtPositioning's plugin for serial ports that send NMEA 0183.
QT = """
import sys
from PyQt5.QtCore import QCoreApplication
from PyQt5.QtPositioning import QGeoPositionInfoSource
application = QCoreApplication([])
source = QGeoPositionInfoSource.createSource("serialnmea", application)
source.positionUpdated.connect(lambda update: print("place", update.coordinate().latitude(), flush=True))
source.startUpdates()
sys.exit(application.exec())
"""


class Server:
    """A locationd whose receiver travels, and an instance of locationd-nmea that serves its location."""

    def __init__(self, binaries, folder, journey, configuration):
        self.runtime = folder / "run"
        (folder / "locationd.toml").write_text('discover = false\nin-use = "connected"\n')
        (folder / "output.toml").write_text(configuration)
        self.daemon = Running(
            [binaries / "locationd", "--config", folder / "locationd.toml", "--runtime-directory", self.runtime,
             "--state-directory", folder / "state", "--receiver", f"serial:{journey.port.path}"], folder)
        manage = self.runtime / "manage" / wire.MANAGE
        until(manage.exists, lambda: f"locationd: {self.daemon.text()}")
        self.manage = str(manage)
        self.server = Running([binaries / "locationd-nmea", "serve", "--config", folder / "output.toml"], folder,
                              {"LOCATIOND_RUNTIME_DIRECTORY": str(self.runtime)})
        self.app = until(self._app, lambda: f"the app: {self.server.text()}")

    def _app(self):
        apps = self.call("ListApps", uid=os.getuid())["apps"]
        return next((app["app"] for app in apps if app["connections"]), None)

    def call(self, method, **parameters):
        return wire.call_once(self.manage, f"{wire.MANAGE}.{method}", parameters)

    def grant(self):
        self.call("Grant", app=self.app, uid=os.getuid(), level="always", accuracy="full")

    def revoke(self):
        self.call("Revoke", app=self.app, uid=os.getuid())

    def stop(self):
        self.server.stop()
        self.daemon.stop()


def readers(folder, python):
    """Returns each reader: its name, what is configured, the path that it waits for, and the command that reads."""
    port, address = free_port(), "10.99.0.1"
    file = folder / "tty"
    terminal, fifo = f'to = "pty:{file}"\n', f'to = "fifo:{file}"\n'
    server = f'to = "tcp://127.0.0.1:{port}"\nallow = ["127.0.0.1"]\n'
    datagrams = f'to = "udp://127.0.0.1:{port}"\n'
    gpsd = f"gpsd -N -n -b -S {port + 1} -F {folder}/control %s & sleep 1; exec gpspipe -w 127.0.0.1:{port + 1}"
    every = 'sentences = ["RMC", "GGA", "GSA", "GSV", "VTG", "GLL", "ZDA", "GST"]\n'
    return [
        ("gpsd, a terminal", terminal + every, file, ["sh", "-c", gpsd % file]),
        ("gpsd, TCP", server + every, None, ["sh", "-c", gpsd % f"tcp://127.0.0.1:{port}"]),
        ("gpsd, UDP", datagrams + every, None, ["sh", "-c", gpsd % f"udp://127.0.0.1:{port}"]),
        ("Qt's serialnmea, a terminal", terminal, file,
         ["env", f"QT_NMEA_SERIAL_PORT={file}", "/usr/bin/python3", "-c", QT]),
        ("pynmea2 and pyserial, a terminal", terminal, file, [python, "-c", PYNMEA2, file]),
        ("gpsbabel, a FIFO", fifo, file, ["gpsbabel", "-t", "-i", "nmea", "-f", file, "-o", "unicsv", "-F", "-"]),
        ("netcat, TCP", server, None, ["nc", "-d", "127.0.0.1", str(port)]),
        ("socat, UDP", datagrams, None, ["socat", "-u", f"UDP-RECV:{port},bind=127.0.0.1", "-"]),
        ("another network namespace, TCP", f'to = "tcp://{address}:{port}"\nallow = ["10.99.0.2"]\n', None,
         ["ip", "netns", "exec", NAMESPACE, "socat", "-u", f"TCP:{address}:{port}", "-"]),
    ]


def place(text):
    """Returns a latitude near the journey's in the text of a reader, or None: in degrees, or as NMEA 0183 has it."""
    for word in text.replace(",", " ").replace(":", " ").replace("}", " ").split():
        try:
            number = float(word)
        except ValueError:
            continue
        degrees = number // 100 + number % 100 / 60 if number > 1000 else number
        if 0 < degrees - LATITUDE < 1000 * STEP:
            return degrees
    return None


def is_revoked(reader, file, text):
    """Returns whether a reader sees the end: of its file, of its connection, or a fix that is none."""
    if file is not None:
        return not os.path.lexists(file)
    later = reader.text()[len(text):]
    return reader.has_ended() or "V,,,,,,,,,,N" in later or '"mode":1' in later or '"mode":0' in later


def namespace():
    """Makes a network namespace with an address that this machine reaches. Returns whether it is there."""
    ours, theirs = f"{NAMESPACE[:8]}-a", f"{NAMESPACE[:8]}-b"
    subprocess.run(["ip", "netns", "delete", NAMESPACE], stderr=subprocess.DEVNULL, check=False)
    commands = [
        f"ip netns add {NAMESPACE}", f"ip link add {ours} type veth peer name {theirs} netns {NAMESPACE}",
        f"ip address add 10.99.0.1/24 dev {ours}", f"ip link set {ours} up",
        f"ip netns exec {NAMESPACE} ip address add 10.99.0.2/24 dev {theirs}",
        f"ip netns exec {NAMESPACE} ip link set {theirs} up",
    ]
    return all(subprocess.run(command.split(), check=False).returncode == 0 for command in commands)


def run(binaries, folder, python, say):
    """Serves each reader. Returns whether every one showed the place, and the end after a revocation."""
    has_namespace = namespace()
    is_good = True
    for number in range(len(readers(folder, python))):
        here = folder / f"reader-{number}"
        here.mkdir()
        name, configuration, file, command = readers(here, python)[number]
        if "namespace" in name and not has_namespace:
            say(f"  {name}: needs root")
            is_good = False
            continue
        journey = Journey(here)
        server = reader = None
        try:
            server = Server(binaries, here, journey, configuration)
            server.grant()
            if file is not None:
                until(lambda: os.path.lexists(file), lambda: f"{file}: {server.server.text()}")
            else:
                until(lambda: "istening at" in server.server.text() or "ending to" in server.server.text(), "the port")
            reader = Running(command, here, {"PATH": PATH})
            # gpsbabel writes when it has read the end.
            waits = name.startswith("gpsbabel")
            if not waits:
                until(lambda: place(reader.text()), lambda: f"a place: {reader.text()[-800:]} {server.server.text()}")
            else:
                until(lambda: server.call("GetStatistics")["statistics"]["sessions"] == 1, "the subscription")
                fixes(server, 5)
            text = reader.text()
            server.revoke()
            until(lambda: is_revoked(reader, file, text), lambda: f"the end: {reader.text()[-800:]}")
            found = until(lambda: place(reader.text()), lambda: f"a place: {reader.text()[-800:]}")
            say(f"  {name}: {found:.5f}, and the end")
        except Late as late:
            say(f"  {name}: {late}")
            is_good = False
        finally:
            for running in (reader, server):
                if running:
                    running.stop()
            journey.stop()
    if has_namespace:
        subprocess.run(["ip", "netns", "delete", NAMESPACE], check=False)
    return is_good


def fixes(server, count):
    """Waits until the app has received that many locations more."""
    def received():
        return sum(entry["deliveries"] for entry in server.call("GetAccessLog")["entries"])
    goal = received() + count
    until(lambda: received() >= goal, "locations")
