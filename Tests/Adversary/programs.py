"""Programs that the daemon identifies as different apps.

The path of its executable identifies an app. Each copy of this Python interpreter is therefore a separate app.
"""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from wire import Connection

# The user that root runs the attacks as, which has nothing else.
ATTACKER = 64_999
TELL_PATHS = "import os, sys; print(os.readlink('/proc/self/exe'), sys.base_prefix, sys.base_exec_prefix)"


def attacker_uid():
    """Returns the user that attacks: not the one of the daemon's clients, if this process can run as another user."""
    return ATTACKER if os.getuid() == 0 else os.getuid()


def find_interpreter():
    """Returns the path of an interpreter that the attacker can run, and the folders of its library as PYTHONHOME."""
    user = {} if attacker_uid() == os.getuid() else {"user": attacker_uid(), "group": attacker_uid()}
    for candidate in (sys.executable, "/usr/bin/python3"):
        try:
            paths = subprocess.run([candidate, "-s", "-S", "-c", TELL_PATHS], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd="/", check=True, text=True, **user).stdout.split()
            return paths[0], ":".join(paths[1:])
        except (OSError, subprocess.CalledProcessError):
            pass
    raise SystemExit(f"the user {attacker_uid()} can run neither {sys.executable} nor /usr/bin/python3")


class Programs:
    """A folder with copies of the interpreter, and with a copy of this package that other users can read."""

    def __init__(self, folder):
        self.folder = Path(folder) / "programs"
        self.folder.mkdir(mode=0o755)
        self.scripts = self.folder / "scripts"
        shutil.copytree(Path(__file__).parent, self.scripts, ignore=shutil.ignore_patterns("__pycache__"))
        self.interpreter = self.folder / "python"
        path, home = find_interpreter()
        # From another folder, it finds its library only through PYTHONHOME.
        self.environment = {"PYTHONHOME": home, "PATH": "/usr/bin:/bin"}
        shutil.copyfile(path, self.interpreter)
        for path in [self.interpreter, self.scripts, *self.scripts.iterdir()]:
            path.chmod(0o755)

    def program(self, name, copy=False):
        """Returns the path of a program with this name: a hard link to the interpreter, or a copy of it."""
        path = self.folder / name
        if not path.exists():
            (shutil.copy if copy else os.link)(self.interpreter, path)
        return path

    def start(self, name, script, *arguments, uid=None, gids=(), **options):
        """Runs a script of this package as the program `name`, and as user `uid` if that is another user."""
        command = [self.program(name), "-s", "-S", "-B", self.scripts / script, *map(str, arguments)]
        if uid is not None and uid != os.getuid():
            options |= {"user": uid, "group": uid, "extra_groups": list(gids)}
        return subprocess.Popen(command, env=self.environment, **options)


class App:
    """A running program that connects to given paths and hands the connections over.

    The daemon attributes such a connection to the program, because the kernel reports the process that connected.
    """

    def __init__(self, programs, name):
        self.identity = f"exe:{programs.program(name)}"
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = programs.start(name, "app.py", theirs.fileno(), pass_fds=[theirs.fileno()])

    def connect(self, path):
        """Returns a connection made by the program. Raises OSError."""
        self.control.send(path.encode())
        _, descriptors, _, _ = socket.recv_fds(self.control, 100, 1)
        if not descriptors:
            raise ConnectionError(f"{self.identity} cannot connect to {path}")
        return Connection(socket.socket(fileno=descriptors[0]))

    def stop(self):
        """Ends the program."""
        self.control.close()
        self.process.wait()
