"""The calls of a client of GeoClue, over sdbus."""

from sdbus import Bus, Variant

NAME = "org.freedesktop.GeoClue2"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
PROPERTIES = "org.freedesktop.DBus.Properties"
CLIENT = NAME + ".Client"
LOCATION = NAME + ".Location"


class Client:
    """A client object."""

    def __init__(self, address, desktop_id="org.example.App", level=8, bus=None):
        self.bus = bus or Bus(address)
        self.path, = self.bus.call(NAME, MANAGER, NAME + ".Manager", "GetClient")
        self.set("DesktopId", Variant("s", desktop_id))
        self.set("RequestedAccuracyLevel", Variant("u", level))

    def call(self, member):
        return self.bus.call(NAME, self.path, CLIENT, member)

    def get(self, name):
        return self.bus.call(NAME, self.path, PROPERTIES, "Get", "ss", CLIENT, name)[0]

    def set(self, name, value):
        self.bus.call(NAME, self.path, PROPERTIES, "Set", "ssv", CLIENT, name, value)

    def location(self, path):
        """Returns the properties of a location object."""
        return self.bus.call(NAME, path, PROPERTIES, "GetAll", "s", LOCATION)[0]

    def next_location(self, timeout_seconds=120):
        """Waits for the next location, and returns its properties."""
        return self.location(self.bus.signal("LocationUpdated", timeout_seconds).arguments[1])
