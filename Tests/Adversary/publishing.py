"""A locationd-publish under test, with a locationd that replays a drive of 20 fixes a second."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import receiver
from daemon import Daemon

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def wait(what, condition, seconds=60):
    """Waits until a condition holds. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what} within {seconds} s")
        time.sleep(0.02)


class Publisher:
    """A running locationd-publish: a copy of the program, so an app of its own."""

    def __init__(self, program, folder, runtime, configuration, state=None):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.program = self.folder / "locationd-publish"
        shutil.copy(program, self.program)
        self.state = Path(state or self.folder / "queue")
        self.configuration = self.folder / "publish.toml"
        self.configuration.write_text(configuration)
        self.log_path = self.folder / "log"
        self.environment = dict(os.environ) | {
            "LOCATIOND_RUNTIME_DIRECTORY": str(runtime), "SWIFT_BACKTRACE": "enable=no"}

    @property
    def identity(self):
        return f"exe:{self.program}"

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--config", self.configuration, "--state-directory", self.state],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)

    def anonymous_megabytes(self):
        """Returns the publisher's anonymous memory in MB: RssAnon of proc(5)."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def processor_seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def waiting(self):
        """Returns the number of reports in the queue."""
        try:
            database = sqlite3.connect(f"file:{self.state}/queue.db?mode=ro", uri=True, timeout=30)
            try:
                return database.execute("SELECT count(*) FROM report").fetchone()[0]
            finally:
                database.close()
        except sqlite3.Error:
            return 0

    def stop(self):
        self.process.kill()
        self.process.wait()


class Scene:
    """A daemon and any number of publishers, in a folder that is removed at the end."""

    def __init__(self, bin):
        self.bin, self.publishers = Path(bin), []
        self.folder = Path(tempfile.mkdtemp(prefix="publishing-"))
        track = self.folder / "track.nmea"
        start = int(time.time()) * 10
        track.write_bytes(b"".join(receiver.epoch(start + 10 * second)[0] for second in range(20_000)))
        self.daemon = Daemon(self.bin / "locationd", self.folder, f"replay:{track}@20")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for publisher in self.publishers:
            publisher.stop()
        self.daemon.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def publisher(self, configuration, name="a", state=None):
        """Starts a publisher that may have the location always."""
        made = Publisher(
            self.bin / "locationd-publish", self.folder / name, self.daemon.runtime, 'device = "van"\n' + configuration,
            state)
        self.ctl("grant", "--always", made.identity)
        made.start()
        self.publishers.append(made)
        return made

    def ctl(self, *arguments):
        # Under sudo locationctl would mean the caller of sudo.
        environment = {name: value for name, value in os.environ.items() if name != "SUDO_UID"}
        environment["LOCATIOND_RUNTIME_DIRECTORY"] = str(self.daemon.runtime)
        return subprocess.run([self.bin / "locationctl", *arguments], check=True, capture_output=True, text=True,
                              env=environment).stdout
