"""The daemon under test: a real locationd with its own folders."""

import os
import signal
import subprocess
import time
from pathlib import Path

import wire

CONFIGURATION = 'in-use = "connected"\n'


class Ended(Exception):
    """The daemon ended or never answered. The text has the details."""


class Daemon:
    """A running locationd.

    peers: the socket of the locationd-peers that identifies its clients. Without it, the daemon identifies them itself.
    inherited: sockets that it gets as from a service manager, by name.
    receiver: the first receiver, as the option names it, or None for those of the configuration.
    further_receivers: receivers after the first one.
    A crash is reported without a backtrace, which takes a minute to create. SWIFT_BACKTRACE=enable=yes enables it.
    """

    def __init__(self, program, folder, receiver, peers=None, configuration="", inherited=None, environment=None,
                 further_receivers=()):
        folder = Path(folder)
        self.program = program
        self.runtime = folder / "run"
        self.log = folder / "locationd.log"
        file = folder / "locationd.toml"
        file.write_text(CONFIGURATION + configuration)
        environment = {"SWIFT_BACKTRACE": "enable=no"} | dict(os.environ) | (environment or {})
        if peers:
            environment["LOCATIOND_PEERS"] = peers
        inherited = inherited or {}
        environment["LISTEN_FDS"], environment["LISTEN_FDNAMES"] = str(len(inherited)), ":".join(inherited)
        places = range(3, 3 + len(inherited))

        def prepare():
            # Like Nice= in its unit.
            if os.geteuid() == 0:
                os.nice(-20)
            copies = [os.dup(listener.fileno()) for listener in inherited.values()]
            for copy, place in zip(copies, places):
                os.dup2(copy, place)

        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                # LISTEN_PID is the process's own id, see sd_listen_fds(3).
                ["sh", "-c", 'LISTEN_PID=$$ exec "$0" "$@"', program, "--config", file, "--runtime-directory",
                 self.runtime, "--state-directory", folder / "state", "--log-level", "warning",
                 *(option for each in (receiver, *further_receivers) if each
                   for option in ("--receiver", each))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, preexec_fn=prepare,
                pass_fds=places, start_new_session=True)
        self._share_processors()
        self._await_answers()

    def _share_processors(self):
        """Gives the daemon about as much of the processors as system.slice has beside user.slice: half.

        Without groups of systemd, the kernel may give each session as much as any other, whatever the nice value is:
        autogroups, sched(7). Each attacker is a session of its own, and eight of them would have eight times as much.
        """
        group = Path(f"/proc/{self.process.pid}/autogroup")
        if os.geteuid() == 0 and group.exists():
            group.write_text("-10")

    def _await_answers(self, timeout_seconds=20):
        deadline = time.monotonic() + timeout_seconds
        while True:
            try:
                for path in (self.location, self.manage):
                    wire.call_once(path, "org.varlink.service.GetInfo")
                return
            except (OSError, wire.Late, wire.Closed) as error:
                self.check()
                if time.monotonic() > deadline:
                    self.stop()
                    raise Ended(f"locationd does not answer: {error}") from None
                time.sleep(0.05)

    @property
    def location(self):
        """The path of the public socket."""
        return str(self.runtime / wire.LOCATION)

    @property
    def manage(self):
        """The path of the management socket."""
        return str(self.runtime / "manage" / wire.MANAGE)

    def check(self):
        """Raises Ended with the exit status and the last output if the daemon has ended."""
        status = self.process.poll()
        if status is not None:
            how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
            raise Ended(f"locationd ended {how}; its last output:\n{self.last_output()}")

    def last_output(self):
        """Returns the end of the daemon's log."""
        return b"\n".join(self.log.read_bytes().splitlines()[-15:]).decode(errors="replace")

    def anonymous_megabytes(self):
        """Returns the daemon's anonymous memory in MB: RssAnon of proc(5)."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def processor_seconds(self):
        """Returns the processor time of the daemon's threads so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        """Returns the number of descriptors that the daemon has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def grant(self, app, uid, level="always"):
        """Grants an app full accuracy, as root or as the app's own user."""
        wire.call_once(self.manage, wire.MANAGE + ".Grant",
                       {"app": app, "uid": uid, "level": level, "accuracy": "full"}, timeout_seconds=20)

    def stop(self, timeout_seconds=20):
        """Ends the daemon with SIGTERM, or with SIGKILL after the timeout. Returns a description of a fault or None."""
        self.process.terminate()
        try:
            status = self.process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"locationd did not end within {timeout_seconds} s of SIGTERM"
        return f"SIGTERM ended locationd with status {status}:\n{self.last_output()}" if status else None
