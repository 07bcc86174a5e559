"""A real locationd with an emulated receiver, and an app with a grant."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Adversary"))

import wire  # noqa: E402
from daemon import CONFIGURATION, Daemon  # noqa: E402
from nmea import Instance, free_port  # noqa: E402, F401

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


def each(function, arguments):
    """Calls the function with each of the arguments, some at a time: most of their time, they wait.

    Raises all failures as one.
    """
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(function, *argument) for argument in arguments]
    failures = [error for call in calls if (error := call.exception())]
    if failures:
        failure = Failure("\n".join(f"{type(error).__name__}: {error}" for error in failures))
        for note in failures[0].__notes__ if hasattr(failures[0], "__notes__") else ():
            failure.add_note(note)
        raise failure from failures[0]


class World:
    """A daemon that reads emulators. Each is described by the lines of its profile."""

    def __init__(self, bin, *receivers, configuration=""):
        self.bin = Path(bin)
        self.emulators = [emulator for emulator, _ in receivers]
        self.folder = tempfile.TemporaryDirectory(prefix="locationd-receivers-")
        os.chmod(self.folder.name, 0o755)
        self._is_ended = False
        self.start(*(profile for _, profile in receivers), configuration=configuration)

    def start(self, *profiles, configuration=""):
        """Starts the daemon: the first one, or the next one after `end()`, with other profiles.

        configuration: further lines, with FOLDER for the folder of this world.
        """
        configuration = self._configuration(profiles) + configuration.replace("FOLDER", self.folder.name)
        self.daemon = Daemon(self.bin / "locationd", self.folder.name, None, configuration=configuration)
        self._is_ended = False
        self.daemon.grant(PYTHON, os.getuid())

    def _configuration(self, profiles):
        return "".join(f'[[receiver]]\nsource = "{emulator.specification}"\nname = "r{index}"\n{profile}\n'
                       for index, (emulator, profile) in enumerate(zip(self.emulators, profiles)))

    def reload(self, *profiles):
        """Has the daemon read a configuration with other profiles."""
        (Path(self.folder.name) / "locationd.toml").write_text(CONFIGURATION + self._configuration(profiles))
        self.daemon.process.send_signal(signal.SIGHUP)

    def end(self, by=signal.SIGTERM):
        """Ends the daemon before the world ends."""
        if by == signal.SIGTERM:
            fault = self.daemon.stop()
            check(not fault, fault)
        else:
            self.daemon.process.send_signal(by)
            self.daemon.process.wait()
            for emulator in self.emulators:
                emulator.release()
        self._is_ended = True

    def grant(self, app, accuracy="full"):
        """Grants a program this accuracy."""
        wire.call_once(self.daemon.manage, wire.MANAGE + ".Grant", {
            "app": f"exe:{os.path.realpath(app)}", "uid": os.getuid(), "level": "always", "accuracy": accuracy})

    def locationctl(self, *arguments):
        """Returns the output of locationctl."""
        found = subprocess.run([self.bin / "locationctl", *arguments, "--runtime-directory", self.daemon.runtime],
                               capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
        check(not found.returncode, f"locationctl {arguments}: {found.stderr}")
        return found.stdout

    def listed(self, index=0):
        """Returns the receiver as locationctl lists it."""
        return json.loads(self.locationctl("receivers", "--settings", "--json"))[index]

    @contextlib.contextmanager
    def watch(self, *options):
        """Another program that asks for locations until the end of the block: locationctl, which has no grant."""
        with subprocess.Popen([self.bin / "locationctl", "watch", "--json", *options, "--runtime-directory",
                               self.daemon.runtime], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                yield process.stdout
            finally:
                process.kill()

    @contextlib.contextmanager
    def app(self, is_patient=True, **options):
        """An app that asks for locations until the end of the block. It has got one when the block begins, unless it is
        not patient."""
        connection = wire.Connection(wire.connect(self.daemon.location))
        connection.send(wire.LOCATION + ".Subscribe", {"options": {"desiredAccuracy": "best"} | options}, more=True)
        try:
            # The first update may say that there is no receiver.
            while is_patient and not wire.result(connection.receive(TIMEOUT_SECONDS))["update"].get("location"):
                pass
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
        fault = None if self._is_ended else self.daemon.stop()
        for emulator in self.emulators:
            emulator.close()
        self.folder.cleanup()
        check(not fault, fault)


@contextlib.contextmanager
def world(bin, *receivers, configuration=""):
    """A world until the end of the block, in which everything that was sent is checked."""
    it = World(bin, *receivers, configuration=configuration)
    try:
        yield it
    except Exception as error:
        for emulator in it.emulators:
            error.add_note(f"{type(emulator.personality).__name__}:\n{emulator.last_frames()}")
        raise
    finally:
        it.close()
