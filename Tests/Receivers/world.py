"""A real locationd with an emulated receiver, and an app with a grant."""

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Adversary"))

import wire  # noqa: E402
from daemon import Daemon  # noqa: E402

PYTHON = f"exe:{os.path.realpath(sys.executable)}"
TIMEOUT_SECONDS = 120


class Failure(Exception):
    """Something is not as it has to be."""


def check(condition, what):
    """Raises Failure unless the condition holds."""
    if not condition:
        raise Failure(what)


def eventually(what, condition):
    """Waits until the condition holds, and returns its value."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {TIMEOUT_SECONDS} s")
        time.sleep(0.02)
    return value


class World:
    """A daemon that reads emulators. Each is described by the lines of its profile."""

    def __init__(self, bin, *receivers, configuration=""):
        self.emulators = [emulator for emulator, _ in receivers]
        self._folder = tempfile.TemporaryDirectory(prefix="locationd-receivers-")
        os.chmod(self._folder.name, 0o755)
        tables = "".join(f'[[receiver]]\nsource = "{emulator.specification}"\nname = "r{index}"\n{profile}\n'
                         for index, (emulator, profile) in enumerate(receivers))
        self.daemon = Daemon(Path(bin) / "locationd", self._folder.name, None, configuration=configuration + tables)
        self.daemon.grant(PYTHON, os.getuid())

    @contextlib.contextmanager
    def app(self, **options):
        """An app that asks for locations until the end of the block. It has got one when the block begins."""
        connection = wire.Connection(wire.connect(self.daemon.location))
        connection.send(wire.LOCATION + ".Subscribe", {"options": {"desiredAccuracy": "best"} | options}, more=True)
        try:
            wire.result(connection.receive(TIMEOUT_SECONDS))
            yield connection
        finally:
            connection.close()

    def receiver(self, index=0):
        """Returns the receiver as the daemon shows it."""
        reply = wire.call_once(self.daemon.manage, wire.MANAGE + ".ListReceivers", {"details": True})
        return reply["receivers"][index]

    def setting(self, name, index=0):
        """Returns a setting of a receiver as the daemon shows it, or None."""
        settings = self.receiver(index).get("settings") or []
        return next((setting for setting in settings if setting["name"] == name), None)

    def outcome(self, name, index=0):
        """Waits until a setting has an outcome other than "unanswered", which it has meanwhile, or for its verdict."""
        def decided():
            setting = self.setting(name, index)
            return setting if setting and setting["outcome"] != "unanswered" else None
        return eventually(f"the outcome of {name}", decided)

    def close(self):
        fault = self.daemon.stop()
        for emulator in self.emulators:
            emulator.close()
        self._folder.cleanup()
        check(not fault, fault)


@contextlib.contextmanager
def world(bin, *receivers, configuration=""):
    """A world until the end of the block, in which everything that was sent is checked."""
    it = World(bin, *receivers, configuration=configuration)
    try:
        yield it
    finally:
        it.close()
