"""The attacking processes, which run as a separate user if root starts them."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time

import wire
from programs import attacker_uid

# The default limit of a user's connections.
CONNECTIONS_PER_USER = 256
# The timeout for all attacks to begin.
BEGIN_SECONDS = 30


class Attackers:
    """The processes of concurrent attacks, with at most CONNECTIONS_PER_USER connections in total."""

    def __init__(self, scene, names, slow_fuse):
        self.scene = scene
        self.folder = scene.folder / "attacker"
        self.folder.mkdir()
        self.hand_over(self.folder)
        # Only a program's owner may create hard links to it, see protected_hardlinks in proc(5).
        own = scene.programs.program("attacker", copy=True)
        self.hand_over(own)
        self.slow_fuse = [shutil.copy(slow_fuse, self.folder / "program")] if slow_fuse else []
        self.processes = {name: self.start(name, CONNECTIONS_PER_USER // len(names)) for name in names}
        deadline = time.monotonic() + BEGIN_SECONDS
        while not all(self.log(name).stat().st_size for name in names) and time.monotonic() < deadline:
            time.sleep(0.01)

    def hand_over(self, path):
        """Makes the attacker the owner of a file."""
        if os.getuid() == 0:
            os.chown(path, attacker_uid(), attacker_uid())

    def start(self, name, connections):
        work = self.folder / name
        work.mkdir()
        self.hand_over(work)
        daemon = self.scene.daemon
        with open(self.log(name), "wb") as log:
            return self.scene.programs.start(
                "attacker", "attacker.py", name, daemon.location, daemon.manage, connections, work, *self.slow_fuse,
                uid=attacker_uid(), gids=groups(daemon.manage) if name == "manage" else (),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0)

    def check(self):
        """Returns a description of an attack that has ended by itself, which is a fault, or None."""
        for name, process in self.processes.items():
            if process.poll() is not None:
                output = self.log(name).read_text(errors="replace")[-1000:]
                return f"the attack {name} ended with status {process.returncode}: {output}"
        return None

    def stop(self):
        """Ends all attacks, with the processes that they have started."""
        for process in self.processes.values():
            # On SIGTERM, a process prints how much it has done.
            process.terminate()
        time.sleep(0.5)
        for process in self.processes.values():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def done(self, name):
        """Returns the number of an attack's calls or connections, as printed at its end."""
        return self.log(name).read_text(errors="replace").strip().rpartition("\n")[2]

    def log(self, name):
        """Returns the file with the output of an attack."""
        return self.scene.folder / f"{name}.log"


def groups(path):
    """Returns the groups that a user needs to connect to a socket."""
    return {os.stat(place).st_gid for place in (path, os.path.dirname(path))}


class Agent:
    """An administrator's agent that receives and reads the attacker's prompts."""

    def __init__(self, daemon):
        self.path = daemon.manage
        self.stopping = threading.Event()
        self.interruptions = self.bytes = 0
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stopping.is_set():
            try:
                with wire.connect(self.path, timeout_seconds=5) as agent:
                    agent.settimeout(0.2)
                    self.follow(agent)
            except (OSError, wire.Late):
                pass
            if not self.stopping.wait(0.2):
                self.interruptions += 1

    def follow(self, agent):
        """Reads until the daemon closes the connection."""
        call = {"method": wire.MANAGE + ".MonitorPrompts", "parameters": {"uid": attacker_uid()}, "more": True}
        agent.sendall(json.dumps(call).encode() + b"\0")
        while not self.stopping.is_set():
            try:
                received = len(agent.recv(1 << 20))
            except TimeoutError:
                continue
            if not received:
                return
            self.bytes += received

    def stop(self):
        self.stopping.set()
        self.thread.join()
