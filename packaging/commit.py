"""The commit that is checked out, and the packages of Swift that it was resolved with."""

import json
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
CHECKOUTS = PROJECT / ".build/checkouts"


class Pin:
    """A package of Swift in the version that Package.resolved names."""

    def __init__(self, fields):
        self.address = fields["location"].removesuffix(".git")
        self.name = self.address.rpartition("/")[2]
        self.version = fields["state"]["version"]
        self.revision = fields["state"]["revision"]
        self.folder = CHECKOUTS / self.name


def pins():
    """The packages of Swift, by name. `swift package resolve` fetches them, and writes the list."""
    fields = json.loads((PROJECT / "Package.resolved").read_text())["pins"]
    return {pin.name: pin for pin in sorted(map(Pin, fields), key=lambda pin: pin.name)}


def git(folder, *words):
    """What git prints about a folder, as bytes."""
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True).stdout


def seconds():
    """The time of the commit, in seconds since 1970. What is made of the commit has this time."""
    return int(git(PROJECT, "log", "-1", "--format=%ct"))
