"""A hostile neighbour who announces a sender that says another place: what GeoClue and locationd make of it."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

import geoclue_calls
from programs import Running, is_installed
from references import AGENT, GEOCLUE, GEOCLUE_CONFIGURATION
from sdbus import Refused
from track import LATITUDE, LONGITUDE, Port, epoch
from waiting import Late, until

PACKAGES = ("avahi-daemon", "avahi-utils", "dbus-bin", "geoclue-2-demo", "geoclue-2.0", "iproute2", "socat",
            "util-linux")
SUPPORT = Path(__file__).parent.parent / "Support"
# Steps to the north of the track: 11 degrees.
AWAY = 110_000
PORT = 10110


class Network:
    """Two machines in namespaces, each with a bus and Avahi; `machine` resolves the other one's name."""

    def __init__(self, folder):
        self.folder = folder
        self.running = Running(
            ["unshare", "--user", "--map-root-user", "--net", "--mount", "--", "/usr/bin/python3", "-B",
             SUPPORT / "Scripts/LocalNetwork/network.py", folder, SUPPORT / "Buses/bus.conf"], folder)
        try:
            self.machines = until(self._machines, lambda: f"the network: {self.running.text()}")
        except Late:
            self.running.stop()
            raise
        (folder / "hosts").write_text("192.0.2.2 neighbour.local\n")

    def _machines(self):
        if self.running.has_ended():
            raise Late(f"the network has ended: {self.running.text()}")
        lines = [line.split() for line in self.running.text().splitlines()]
        machines = {words[0]: (words[1], words[2]) for words in lines if len(words) == 3}
        return machines if len(machines) == 2 else None

    def bus(self, machine):
        """Returns the address of a machine's bus."""
        return self.machines[machine][1]

    def command(self, machine, *words):
        """Returns the command that runs a program on a machine."""
        return ["nsenter", "--target", self.machines[machine][0], "--user", "--net", "--mount",
                "--preserve-credentials", "--", *words]

    def start(self, machine, *words):
        """Starts a program on a machine."""
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.bus(machine), "GSETTINGS_BACKEND": "memory"}
        return Running(self.command(machine, *words), self.folder, environment)

    def stop(self):
        self.running.stop()


class Places:
    """Epochs, one a second: of the receiver at a serial port, and of the hostile sender to a file."""

    def __init__(self, folder):
        self.receiver, self.hostile = Port(), folder / "hostile.nmea"
        self.hostile.touch()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        index = 0
        while not self._ended.wait(1):
            seconds = int(time.time())
            self.receiver.write(epoch(index, seconds).encode())
            with self.hostile.open("a") as file:
                file.write(epoch(AWAY + index, seconds))
            index += 1

    def stop(self):
        self._ended.set()
        self._thread.join()


def place(latitude):
    """Returns whose place a latitude is."""
    if abs(latitude - LATITUDE) < 1:
        return "the receiver's"
    return "the hostile sender's" if abs(latitude - LATITUDE - 11) < 1 else "nobody's"


def run(binaries, folder, say):
    """Announces the sender. Returns whether GeoClue was moved, and locationd was not."""
    if os.geteuid() != 0 or not all(map(is_installed, (GEOCLUE, AGENT, "/usr/sbin/avahi-daemon", "socat"))):
        say("  GeoClue, Avahi or socat is not installed, or this is not root")
        return False
    folder = folder / "discovery"
    folder.mkdir()
    network, places, running = Network(folder), Places(folder), []
    asked = folder / "asked"
    try:
        running.append(network.start("neighbour", "socat", f"TCP-LISTEN:{PORT},reuseaddr,fork",
                                     f"SYSTEM:echo >>{asked}; tail -f -n 0 {places.hostile}"))
        announcement = network.start("neighbour", "avahi-publish-service", "GPS", "_nmea-0183._tcp", str(PORT),
                                     "accuracy=exact")
        running.append(announcement)
        until(lambda: "Established" in announcement.text(), lambda: f"the announcement: {announcement.text()}")
        latitude, offered = locationd(network, binaries, folder, places, running)
        untouched = not asked.exists()
        say(f"  locationd, which was offered {offered}: {place(latitude)} place; "
            f"the sender was {'not ' if untouched else ''}connected to")
        moved = geoclue(network, folder, running)
        say(f"  GeoClue 2.6: {place(moved)} place; the sender was {'' if asked.exists() else 'not '}connected to")
        return (place(latitude) == "the receiver's" and untouched and offered == ["GPS"]
                and place(moved) == "the hostile sender's")
    except Late as late:
        say(f"  {late}")
        return False
    finally:
        for program in reversed(running):
            program.stop()
        places.stop()
        network.stop()


def locationd(network, binaries, folder, places, running):
    """Returns the latitude that an app gets of locationd after the sender was offered, and the names on offer."""
    configuration, runtime = folder / "locationd.toml", folder / "run"
    configuration.write_text('in-use = "connected"\n[geoclue]\nenabled = true\n')
    daemon = network.start("machine", binaries / "locationd", "--config", configuration, "--runtime-directory", runtime,
                           "--state-directory", folder / "state", "--receiver", f"serial:{places.receiver.path}@9600")
    running.append(daemon)
    until((runtime / "manage" / "io.locationd.Manage").exists, lambda: f"locationd: {daemon.text()}")

    def control(*words):
        command = network.command("machine", binaries / "locationctl", "--runtime-directory", runtime, *words)
        return subprocess.run([str(word) for word in command], timeout=120, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False,
                              env=dict(os.environ) | {"DBUS_SYSTEM_BUS_ADDRESS": network.bus("machine")})

    def offers():
        answer = control("receivers", "--discover", "--json", "--nmea-program", binaries / "locationd-nmea")
        return answer.returncode == 0 and sorted({offer["name"] for offer in json.loads(answer.stdout)})

    offered = until(offers, lambda: f"the offer: {daemon.text()}")
    control("grant", json.loads(control("status", "--json").stdout)["app"])

    def location():
        answer = control("get", "--json")
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    latitudes = [until(location, lambda: f"a location: {daemon.text()}")["latitude"] for _ in range(5)]
    # GeoClue gets the name next.
    daemon.stop()
    return max(latitudes), offered


def geoclue(network, folder, running):
    """Returns the latitude that an app gets of GeoClue."""
    file = folder / "geoclue.conf"
    # Without a socket of its own, it has the announcements.
    file.write_text("".join(line for line in GEOCLUE_CONFIGURATION.splitlines(True) if "nmea-socket" not in line))
    script = 'mount --bind "$0" /etc/geoclue/geoclue.conf && exec "$1" -t 0'
    daemon = network.start("machine", "unshare", "--mount", "sh", "-c", script, file, GEOCLUE)
    running.append(daemon)
    client = None

    def started():
        nonlocal client
        try:
            client = client or geoclue_calls.Client(network.bus("machine"))
            return True
        except (Refused, OSError):
            return None

    running.append(network.start("machine", AGENT))
    until(started, lambda: f"GeoClue: {daemon.text()}")
    client.call("Start")
    location = client.next_location()
    assert abs(location["Longitude"] - LONGITUDE) < 1, location
    return location["Latitude"]
