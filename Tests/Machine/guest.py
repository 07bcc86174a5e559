"""Commands in the machine, run as root or as a logged-in user; see agent.sh."""

import base64
import itertools
import queue
import socket
import threading
import time

from deadline import SLOWNESS, Deadline, Late


class Failed(Exception):
    """A command in the machine did not end as expected."""


class Line(str):
    """A line printed by a command; `time` is the time of its arrival on this machine's monotonic clock."""

    time: float


class Job:
    """A running or finished command in the machine."""

    def __init__(self, script):
        self.script = script
        self.lines = []
        #: The exit status, or None while the command runs.
        self.status = None
        self._news = queue.Queue()

    def take(self, kind, line):
        """Queues a message from the agent."""
        if kind == "end":
            self._news.put(int(line))
            return
        text = Line(line)
        text.time = time.monotonic()
        self._news.put(text)

    def wait_for_line(self, what, accepts, seconds):
        """Returns the next line for which `accepts` returns true."""
        deadline = Deadline(seconds)
        while self.status is None:
            news = self._next(deadline, what)
            if isinstance(news, Line) and accepts(news):
                return news
        raise Failed(f"{self.script!r} ended with status {self.status} before {what}:\n{self.end_of_output}")

    def wait_for_end(self, seconds):
        """Waits for the end of the command and returns its exit status."""
        deadline = Deadline(seconds)
        while self.status is None:
            self._next(deadline, f"the end of {self.script!r}")
        return self.status

    @property
    def output(self):
        """The lines printed up to the last wait."""
        return "\n".join(self.lines)

    @property
    def end_of_output(self):
        """The last lines of the output, for error messages."""
        return "\n".join(self.lines[-10:])

    def _next(self, deadline, what):
        try:
            news = self._news.get(timeout=deadline.remaining(what))
        except (queue.Empty, Late):
            raise Late(f"timed out waiting for {what}; {self.script!r} printed:\n{self.end_of_output}") from None
        if isinstance(news, Line):
            self.lines.append(news)
        else:
            self.status = news
        return news


class Guest:
    """A user of the machine, reached through the agent that runs as that user.

    `path` is the Unix socket that qemu connects to the agent's port.
    """

    def __init__(self, path, user):
        self.user = user
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.jobs = {}
        self.ids = itertools.count(1)
        self._hellos = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def wait_for_login(self, seconds):
        """Waits until the agent starts, at boot or at the next login."""
        try:
            self._hellos.get(timeout=seconds * SLOWNESS)
        except queue.Empty:
            raise Late(f"timed out waiting for the login of {self.user}") from None

    def forget_logins(self):
        """Discards past logins, so that the next wait is for a new one."""
        while not self._hellos.empty():
            self._hellos.get_nowait()

    def start(self, script):
        """Starts a shell script and returns its job."""
        identifier = str(next(self.ids))
        job = self.jobs[identifier] = Job(script)
        self.socket.sendall(f"{identifier} {base64.b64encode(script.encode()).decode()}\n".encode())
        return job

    def run(self, script, seconds=60):
        """Runs a shell script and returns its output. Raises Failed unless its status is 0."""
        status, output = self.try_run(script, seconds)
        if status != 0:
            raise Failed(f"{self.user}: {script!r} ended with status {status}:\n{output}")
        return output

    def try_run(self, script, seconds=60):
        """Runs a shell script and returns its status and its output."""
        job = self.start(script)
        return job.wait_for_end(seconds), job.output

    def _read(self):
        for line in self.socket.makefile(errors="replace", newline="\n"):
            words = line.rstrip("\n").split(" ", 2)
            if words == ["hello"]:
                self._hellos.put(None)
            elif len(words) == 3 and words[0] in self.jobs:
                self.jobs[words[0]].take(words[1], words[2])
