"""Running programs and their output."""

import itertools
import os
import shutil
import signal
import subprocess

from waiting import Late, until

_numbers = itertools.count()


class Running:
    """A program whose output goes to a file of its own. It leads a process group, which ends with it."""

    def __init__(self, command, folder, environment=None, **options):
        self.path = folder / f"output-{next(_numbers)}-{os.path.basename(str(command[0]))}.txt"
        with open(self.path, "wb") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=options.pop("stdin", subprocess.DEVNULL), stdout=output,
                stderr=output, env=dict(os.environ) | {"PYTHONUNBUFFERED": "1"} | (environment or {}),
                start_new_session=True, **options)

    def text(self):
        """Returns everything that the program has written so far."""
        return self.path.read_text(errors="replace")

    def has_ended(self):
        return self.process.poll() is not None

    def stop(self, number=signal.SIGTERM):
        """Ends the program and what it started."""
        if not self.has_ended():
            self.process.send_signal(number)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Screen:
    """A program in a terminal of tmux, with all screens that were looked at."""

    def __init__(self, command, folder, environment=None):
        self.name = f"locationd-{os.getpid()}-{next(_numbers)}"
        self.seen = []
        variables = [word for name, value in (environment or {}).items() for word in ("-e", f"{name}={value}")]
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50", *variables, *map(str, command))

    def _tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.name, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=False).stdout

    def text(self):
        """Returns every different screen so far, one below the other."""
        screen = self._tmux("capture-pane", "-p")
        if screen and (not self.seen or self.seen[-1] != screen):
            self.seen.append(screen)
        return "\f".join(self.seen)

    def has_ended(self):
        return not self._tmux("list-sessions")

    def stop(self):
        self._tmux("kill-server")


class Display:
    """An X server without a screen, and pictures of what it would show."""

    def __init__(self, folder):
        self.number = 90 + os.getpid() % 900
        self.server = Running(["Xvfb", f":{self.number}", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], folder)
        try:
            until(lambda: os.path.exists(f"/tmp/.X11-unix/X{self.number}"), "Xvfb")
        except Late:
            self.server.stop()
            raise

    @property
    def environment(self):
        return {"DISPLAY": f":{self.number}", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}

    def picture(self, path):
        """Writes what is on the screen to a PNG file."""
        subprocess.run(["import", "-display", f":{self.number}", "-window", "root", str(path)], check=True)

    def stop(self):
        self.server.stop()


def is_installed(program):
    """Returns whether a program is there."""
    return shutil.which(str(program)) is not None
