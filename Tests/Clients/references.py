"""The services that the fronts stand for, with the same NMEA: gpsd 3.22 and GeoClue 2.6."""

import os

from bus import PrivateBus
from programs import Running, is_installed
from scene import free_port
from track import Port, Server
from waiting import Late, until

GEOCLUE = "/usr/libexec/geoclue"
AGENT = "/usr/libexec/geoclue-2.0/demos/agent"
GEOCLUE_CONFIGURATION = """\
[agent]
whitelist=geoclue-demo-agent
[network-nmea]
enable=true
nmea-socket={socket}
[3g]
enable=false
[cdma]
enable=false
[modem-gps]
enable=false
[wifi]
enable=false
[compass]
enable=false
"""


class GPSD:
    """gpsd on a port of its own."""

    name = "gpsd 3.22"

    def __init__(self, scene):
        receiver = Port()
        scene.track.outputs.append(receiver)
        self.folder, self.port, self.display = scene.folder, free_port(), scene.display
        self.daemon = Running(
            ["/usr/sbin/gpsd", "-N", "-n", "-b", "-S", str(self.port), "-F", self.folder / "gpsd-control",
             receiver.path], self.folder)

    @staticmethod
    def is_there():
        return is_installed("/usr/sbin/gpsd")

    def stop(self):
        self.daemon.stop()


class GeoClue:
    """GeoClue on a bus of its own, with its demonstration agent. It needs root, for a mount namespace."""

    name = "GeoClue 2.6"

    def __init__(self, scene):
        self.folder = scene.folder
        server = Server(self.folder / "nmea")
        scene.track.outputs.append(server)
        file = self.folder / "geoclue.conf"
        file.write_text(GEOCLUE_CONFIGURATION.format(socket=self.folder / "nmea"))
        self.bus = PrivateBus(self.folder, "geoclue-bus")
        environment = self.bus.environment | {"GSETTINGS_BACKEND": "memory"}
        script = 'mount --bind "$0" /etc/geoclue/geoclue.conf && exec "$1" -t 0'
        self.daemon = Running(["unshare", "--mount", "sh", "-c", script, file, GEOCLUE], self.folder, environment)
        self.agent = Running([AGENT], self.folder, environment)

    @staticmethod
    def is_there():
        return os.geteuid() == 0 and is_installed(GEOCLUE) and is_installed(AGENT)

    def stop(self):
        self.agent.stop()
        self.daemon.stop()
        self.bus.stop()


def shown_by(client, reference):
    """Returns what a client shows with a reference, as an entry of the table."""
    if not client.shows_places:
        return "not read"
    running = client.start(reference)
    try:
        until(lambda: client.is_enough(running.text()), "a place", 40)
        latitude, longitude = client.places(running.text())[0]
        return "served" if latitude is None else f"{latitude:.5f} {longitude:.5f}"
    except Late:
        return "nothing"
    finally:
        running.stop()
