"""A listener of another user on everything that the bus lets it see, while the clients of GeoClue walk."""

import os
import re

from programs import Running, is_installed
from waiting import until

NOBODY = "65534"
# Coordinates of the track, and what only an app's owner may know.
SECRETS = ("47.0", "46.9", "47.1", "Latitude", "LocationUpdated", "/Client/", "DesktopId", "redshift", "firefox",
           "where-am-i", "org.example")


class Spy:
    """A running dbus-monitor."""

    def __init__(self, scene):
        user = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        self.running = Running(["setpriv", *user, "dbus-monitor", "--address", scene.bus.address], scene.folder)
        until(lambda: "NameAcquired" in self.running.text(), "the spy")

    @staticmethod
    def is_possible():
        """Another user needs root."""
        return os.geteuid() == 0 and is_installed("dbus-monitor")

    def has_seen_nothing(self, say):
        """Ends the listener. Returns whether it has listened, and seen none of the secrets."""
        text = self.running.text()
        self.running.stop()
        # The monitor begins with its own complaints, which have no message of the bus.
        messages = re.sub(r"time=[\d.]+", "time=", text[text.find("signal time="):])
        seen = [secret for secret in SECRETS if secret in messages]
        say(f"Another user saw {messages.count('signal time=')} signals, and of the secrets: {seen or 'none'}")
        return "NameOwnerChanged" in messages and not seen
