"""The instances of locationd-nmea under attack: one that receives for the daemon, and two that serve."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from programs import attacker_uid

# The file beside the daemon's folder that lists the ports and the terminal for the attackers.
ADDRESSES = "nmea"


def free_port():
    """Returns a port of this machine at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


class Addresses:
    """The addresses of the instances: two ports of 127.0.0.1, the Unix socket of the first one, and a terminal."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.receiving = self.serving = None
        self.socket, self.terminal = self.folder / "relay", self.folder / "terminal"

    def choose(self):
        """Chooses the ports, and writes them down for the attackers."""
        self.receiving, self.serving = free_port(), free_port()
        (self.folder / ADDRESSES).write_text(f"{self.receiving} {self.serving}\n")
        return self

    def read(self):
        """Returns the addresses that another process has chosen."""
        self.receiving, self.serving = map(int, (self.folder / ADDRESSES).read_text().split())
        return self


class Instance:
    """A running locationd-nmea: a copy of the program, so an app of its own."""

    def __init__(self, program, folder, name, configuration, command, *options, environment=None):
        self.name, self.identity = name, f"exe:{folder / name}"
        shutil.copy(program, folder / name)
        file = folder / f"{name}.toml"
        file.write_text(configuration + 'log-level = "warning"\n')
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [folder / name, command, "--config", file, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"SWIFT_BACKTRACE": "enable=no"} | dict(os.environ) | (environment or {}))
        self.begin = None

    def usage(self):
        """Returns the anonymous memory in MB, the processor time in seconds and the number of open descriptors."""
        folder = Path(f"/proc/{self.process.pid}")
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        memory = next(int(line.split()[1]) / 1024 for line in (folder / "status").read_text().splitlines()
                      if line.startswith("RssAnon:"))
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return memory, seconds, len(os.listdir(folder / "fd"))

    def mark(self):
        """Begins a period. Returns the memory, the processor time in percent and the descriptors of the last one."""
        now, (memory, seconds, descriptors) = time.monotonic(), self.usage()
        before, self.begin = self.begin, (now, seconds)
        percent = 100 * (seconds - before[1]) / (now - before[0]) if before else 0.0
        return memory, percent, descriptors

    def stop(self):
        """Ends it. Returns a description of a fault, or None."""
        if self.process.poll() is not None:
            return f"{self.name} ended with status {self.process.returncode}: {self.last_output()}"
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"{self.name} did not end within 5 s of SIGTERM"
        return None

    def last_output(self):
        return self.log.read_text(errors="replace")[-1000:]


class Instances:
    """What attacks by NMEA 0183 need beside the daemon."""

    def __init__(self, daemon, addresses):
        program, folder = Path(daemon.program).parent / "locationd-nmea", addresses.folder / "instances"
        folder.mkdir()
        environment = {"LOCATIOND_RUNTIME_DIRECTORY": str(daemon.runtime)}
        allowed = 'allow = ["127.0.0.1"]\n'
        self.all = [
            Instance(program, folder, "receiving", f'from = "tcp-listen://127.0.0.1:{addresses.receiving}"\n{allowed}',
                     "receive", "--socket", addresses.socket),
            Instance(program, folder, "serving-port", f'to = "tcp://127.0.0.1:{addresses.serving}"\n{allowed}', "serve",
                     environment=environment),
            Instance(program, folder, "serving-terminal",
                     f'to = "pty:{addresses.terminal}"\nowner = "{attacker_uid()}"\n', "serve",
                     environment=environment),
        ]
        for instance in self.all[1:]:
            daemon.grant(instance.identity, os.getuid())
        deadline = time.monotonic() + 30
        while not (addresses.socket.exists() and addresses.terminal.is_symlink() and self.serves(addresses.serving)):
            if time.monotonic() > deadline:
                raise TimeoutError("".join(instance.last_output() for instance in self.all))
            time.sleep(0.05)

    @staticmethod
    def serves(port):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def mark(self):
        """Returns each instance's usage since the last call."""
        return {instance.name: instance.mark() for instance in self.all}

    def stop(self):
        """Ends all. Returns descriptions of faults."""
        return [fault for instance in self.all if (fault := instance.stop())]
