"""The clients of GeoClue. Each uses the target's bus as the system bus."""

import re
import subprocess

from client import Client
from firefox import Browser
from programs import Running

DEMOS = "/usr/libexec/geoclue-2.0/demos"


class WhereAmI(Client):
    """GeoClue's own demonstration, which ends when it is not active any more."""

    name, packages, needs = "where-am-i", ("geoclue-2-demo",), DEMOS + "/where-am-i"
    pattern = re.compile(r"Latitude:\s+([-\d.]+)°\s+Longitude:\s+([-\d.]+)°")

    def start(self, target):
        return Running([self.needs, "-t", "300", "-a", "8"], target.folder, target.bus.environment)


class Redshift(Client):
    """redshift, which prints its place with two decimals and ends."""

    name, packages, needs, ends = "redshift", ("redshift",), "redshift", True
    tolerance = 0.006
    original = "GeoClue uses no receiver for the level that it requests, city, but only Wi-Fi and the network address"
    pattern = re.compile(r"Location: ([-\d.]+) N, ([-\d.]+) E")

    def start(self, target):
        return Running([self.needs, "-l", "geoclue2", "-p"], target.folder, target.bus.environment)


class Gammastep(Redshift):
    """gammastep, likewise."""

    name, packages, needs = "gammastep", ("gammastep",), "gammastep"


class Script(Client):
    """A Python script with a client's library."""

    module, script = "", ""
    pattern = re.compile(r"^place ([-\d.]+) ([-\d.]+)", re.MULTILINE)

    def start(self, target):
        return Running(["/usr/bin/python3", "-c", self.script], target.folder,
                       target.bus.environment | {"QT_QPA_PLATFORM": "offscreen"})

    def is_there(self):
        return subprocess.run(["/usr/bin/python3", "-c", self.module], stderr=subprocess.DEVNULL,
                              check=False).returncode == 0


class Simple(Script):
    """libgeoclue's Geoclue.Simple through GObject introspection, as in GNOME's programs."""

    name, packages = "Geoclue.Simple", ("gir1.2-geoclue-2.0", "python3-gi")
    module = "import gi; gi.require_version('Geoclue', '2.0'); from gi.repository import Geoclue"
    script = """
import gi
gi.require_version("Geoclue", "2.0")
from gi.repository import Geoclue, GLib
simple = Geoclue.Simple.new_sync("org.example.Simple", Geoclue.AccuracyLevel.EXACT, None)
def show(*_):
    location = simple.get_location()
    print("place", location.props.latitude, location.props.longitude)
simple.connect("notify::location", show)
show()
GLib.MainLoop().run()
"""


class Qt(Script):
    """Qt 5's plugin, as in Marble and KDE Itinerary."""

    name, packages = "Qt 5 positioning", ("python3-pyqt5.qtpositioning", "libqt5positioning5-plugins")
    original = ("Qt requests the level 0, none, for a program that does not choose its methods: "
                "GeoClue has no source for it")
    module = "from PyQt5.QtPositioning import QGeoPositionInfoSource"
    script = """
import sys
from PyQt5.QtCore import QCoreApplication
from PyQt5.QtPositioning import QGeoPositionInfoSource
application = QCoreApplication(sys.argv)
application.setApplicationName("qt-test")
source = QGeoPositionInfoSource.createSource("geoclue2", application)
def show(info):
    print("place", info.coordinate().latitude(), info.coordinate().longitude())
source.positionUpdated.connect(show)
source.error.connect(lambda error: print("error", error))
source.setUpdateInterval(1000)
source.startUpdates()
application.exec_()
"""


class Firefox(Client):
    """Firefox without a window: a page's getCurrentPosition, then its watchPosition."""

    name, packages, needs = "Firefox ESR", ("firefox-esr",), "firefox-esr"
    pattern = re.compile(r"^(?:get|watch) ([-\d.]+) ([-\d.]+)", re.MULTILINE)

    def start(self, target):
        return Browser(target.folder, target.bus.environment)

    def is_enough(self, text):
        return all(re.search(f"^{kind} [-\\d.]+ ", text, re.MULTILINE) for kind in ("get", "watch"))


def all_clients():
    """Returns the clients."""
    return [client() for client in (WhereAmI, Redshift, Gammastep, Simple, Qt, Firefox)]
