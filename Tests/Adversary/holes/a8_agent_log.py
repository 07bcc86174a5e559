"""A program without a grant registers as a desktop's agent and changes its level ten times a second: a line each."""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import wire
from bus import Bus

WATCHED_SECONDS = 10
# The first change is logged at once, in either direction; more than that is the attack.
MAXIMUM_LINES = 3

AGENT = """
import sys, dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
NAME = "org.freedesktop.GeoClue2"

class Agent(dbus.service.Object):
    level = 8

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.UInt32(self.level)

    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def toggle(self):
        self.level = 8 - self.level
        self.PropertiesChanged(NAME + ".Agent", {"MaxAccuracyLevel": dbus.UInt32(self.level)}, [])
        return True

agent = Agent(bus, "/org/freedesktop/GeoClue2/Agent")
manager = bus.get_object(NAME, "/org/freedesktop/GeoClue2/Manager", introspect=False)
GLib.timeout_add(100, agent.toggle)
manager.AddAgent("gnome-shell", dbus_interface=NAME + ".Manager", reply_handler=lambda: None,
                 error_handler=lambda error: sys.exit(str(error)), signature="s")
GLib.MainLoop().run()
"""


def attack(bin):
    """Returns the lines about the switch in the daemon's log, and a fault if there are many."""
    if subprocess.run(["/usr/bin/python3", "-c", "import dbus, gi"], stderr=subprocess.DEVNULL).returncode:
        return "not tried: it needs python3-dbus and python3-gi", None
    processes = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "locationd.toml").write_text('in-use = "connected"\n[geoclue]\nenabled = true\n')
        try:
            bus = Bus(folder)
            processes.append(bus.process)
            with open(folder / "log", "wb") as log:
                processes.append(subprocess.Popen(
                    [bin / "locationd", "--config", folder / "locationd.toml", "--runtime-directory", folder / "run",
                     "--state-directory", folder / "state", "--receiver", "simulated"], stdout=log, stderr=log,
                    env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=bus.address, SWIFT_BACKTRACE="enable=no")))
            wait_for((folder / "run" / wire.LOCATION).exists)
            wait_for(lambda: owns_name(bus.address))
            processes.append(subprocess.Popen(["/usr/bin/python3", "-c", AGENT, bus.address]))
            wait_for(lambda: lines(folder / "log") > 0)
            before = lines(folder / "log")
            time.sleep(WATCHED_SECONDS)
            count = lines(folder / "log") - before
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait()
    return f"{count} lines in {WATCHED_SECONDS} s", "a line for each change" if count > MAXIMUM_LINES else None


def owns_name(address):
    """Returns whether the daemon has its name on the bus."""
    reply = subprocess.run(
        ["/usr/bin/python3", "-c",
         "import sys, dbus; b = dbus.bus.BusConnection(sys.argv[1]); sys.exit(not b.name_has_owner(sys.argv[2]))",
         address, "org.freedesktop.GeoClue2"], stderr=subprocess.DEVNULL)
    return reply.returncode == 0


def lines(log):
    """Returns the number of lines about a desktop's switch."""
    return sum(b"a desktop " in line for line in log.read_bytes().splitlines())


def wait_for(condition, timeout_seconds=60):
    """Waits until `condition` holds. Raises TimeoutError."""
    deadline = time.monotonic() + timeout_seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the programs of the attack did not start")
        time.sleep(0.1)
