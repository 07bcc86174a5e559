"""What each client is, to the walk through refused, granted, reduced and revoked."""

import re

from programs import is_installed


class Client:
    """A client by other authors. A subclass says how it is started, and how it shows a place.

    name: the name in the table. packages: the Debian packages. needs: a program or file without which it is skipped.
    tolerance: how exactly it shows a place, in degrees. reduced: what it is expected to show under a reduced grant,
    `cell`, `at most the cell` or `nothing`. ends: it ends after its first place. original: why it shows nothing with
    gpsd or GeoClue themselves. shows_places: its output has its places.
    """

    name = ""
    packages = ()
    needs = ""
    tolerance = 0.00001
    reduced = "cell"
    ends = False
    original = ""
    shows_places = True
    # Each match has a latitude and a longitude in degrees.
    pattern = re.compile(r"(?!)")

    def start(self, target):
        """Starts the client with a target, which has `port`, `bus` and `folder`. Returns what is running."""
        raise NotImplementedError

    def places(self, text):
        """Returns the places that the client has shown, in order, as latitude and longitude."""
        return [(float(latitude), float(longitude)) for latitude, longitude in self.pattern.findall(text)]

    def is_enough(self, text):
        """Returns whether the client has shown what it shows under a grant."""
        return bool(self.places(text))

    def check(self, text):
        """Returns what is wrong with the client's whole output after a run under a grant, or None."""
        return None

    def is_there(self):
        return is_installed(self.needs)


def from_nmea(angle):
    """Returns the degrees of an angle in NMEA's form, dddmm.mmmm."""
    value = float(angle)
    return int(value / 100) + value % 100 / 60
