"""The data that a seed's connections send: the same frames in the same way in every run."""

from pathlib import Path
from random import Random

from conversations import Conversations
from frames import Frames
from interfaces import SERVICE, Interface

# Stands for the run's own folder, whose name is different each time.
FOLDER = "/FOLDER"
# The fuzzers themselves, the first one with a grant, and apps that do not exist.
APPS = [f"exe:{FOLDER}/programs/fuzzer-0", f"exe:{FOLDER}/programs/fuzzer-1", "exe:/usr/bin/foo",
        "flatpak:org.example.App", "snap:foo", "service:foo", "app:org.example.App"]
PATHS = [f"{FOLDER}/wake", f"{FOLDER}/run/io.locationd.Location", "/", "relative", "/" + "x" * 107]


class Plan:
    """The connections of a seed, by number. definitions: the folder of the interface definitions."""

    def __init__(self, seed, definitions):
        self.seed = seed
        texts = [Path(definitions, f"io.locationd.{name}.varlink").read_text() for name in ("Location", "Manage")]
        self.interfaces = self.location, self.manage, self.service = [Interface(text) for text in [*texts, SERVICE]]

    def connection(self, number):
        """Returns the connection's random generator, the interface whose socket it uses, its kind and its frames."""
        random = Random(f"{self.seed}:{number}")
        interface = random.choices(self.interfaces, [6, 4, 1])[0]
        kind = random.choices(list(Conversations.KINDS), Conversations.KINDS.values())[0]
        frames = Frames(random, self.interfaces, APPS, PATHS)
        return random, interface, kind, [frames.frame(interface) for _ in range(random.choice([1, 1, 2, 5, 20]))]

    def lines(self, number):
        """Returns the connection as text, with its bytes in Python's notation."""
        _, interface, kind, frames = self.connection(number)
        return [f"connection {number} to {interface.name}, {kind}: {frame!r}" for frame in frames]
