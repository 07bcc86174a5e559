"""Commands in the machine, as root or as a user who is logged in: see agent.sh."""

import base64
import itertools
import queue
import socket
import threading
import time

from deadline import Deadline, Late


class Failed(Exception):
    """A command in the machine ended otherwise than it had to."""


class Line(str):
    """A line that a command printed; `time` says when it got here, on the monotonic clock of this machine."""

    time: float


class Job:
    """A command that runs, or ran, in the machine."""

    def __init__(self, script):
        self.script = script
        self.lines = []
        #: Exit status; None while it runs.
        self.status = None
        self._news = queue.Queue()

    def take(self, kind, line):
        """Notes what the agent tells of it."""
        if kind == "end":
            self._news.put(int(line))
            return
        text = Line(line)
        text.time = time.monotonic()
        self._news.put(text)

    def wait_for_line(self, what, accepts, seconds):
        """The next line that `accepts` says yes to."""
        deadline = Deadline(seconds)
        while self.status is None:
            news = self._next(deadline, what)
            if isinstance(news, Line) and accepts(news):
                return news
        raise Failed(f"{self.script!r} ended with {self.status} before {what}:\n{self.end_of_output}")

    def wait_for_end(self, seconds):
        """The exit status."""
        deadline = Deadline(seconds)
        while self.status is None:
            self._next(deadline, f"the end of {self.script!r}")
        return self.status

    @property
    def output(self):
        """What it has printed until it was last waited for."""
        return "\n".join(self.lines)

    @property
    def end_of_output(self):
        """As much of it as one wants to read where something went wrong."""
        return "\n".join(self.lines[-10:])

    def _next(self, deadline, what):
        try:
            news = self._news.get(timeout=deadline.remaining(what))
        except (queue.Empty, Late):
            raise Late(f"waited in vain for {what}; {self.script!r} printed:\n{self.end_of_output}") from None
        if isinstance(news, Line):
            self.lines.append(news)
        else:
            self.status = news
        return news


class Guest:
    """A user of the machine, through the agent that runs as that user.

    `path` is the socket that qemu offers in place of the other end of the agent's port.
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
        """Waits until the agent starts, which it does at boot or with the next login."""
        try:
            self._hellos.get(timeout=seconds)
        except queue.Empty:
            raise Late(f"waited in vain for the login of {self.user}") from None

    def forget_logins(self):
        """Takes the logins until now for old: what is waited for next is one to come."""
        while not self._hellos.empty():
            self._hellos.get_nowait()

    def start(self, script):
        """Starts a shell script."""
        identifier = str(next(self.ids))
        job = self.jobs[identifier] = Job(script)
        self.socket.sendall(f"{identifier} {base64.b64encode(script.encode()).decode()}\n".encode())
        return job

    def run(self, script, seconds=60):
        """Runs a shell script and gives what it printed; raises Failed unless its status is 0."""
        status, output = self.try_run(script, seconds)
        if status != 0:
            raise Failed(f"{self.user}: {script!r} ended with {status}:\n{output}")
        return output

    def try_run(self, script, seconds=60):
        """Runs a shell script and gives its status and what it printed."""
        job = self.start(script)
        return job.wait_for_end(seconds), job.output

    def _read(self):
        for line in self.socket.makefile(errors="replace", newline="\n"):
            words = line.rstrip("\n").split(" ", 2)
            if words == ["hello"]:
                self._hellos.put(None)
            elif len(words) == 3 and words[0] in self.jobs:
                self.jobs[words[0]].take(words[1], words[2])
