"""A reader who types the commands of a document: one shell for a page."""
import os
import re
import select
import subprocess
import time

#: The time for a command that ends by itself, in seconds: apt and pip fetch packages.
PATIENCE = 600
#: What changes the shell itself.
STAYS = re.compile(r"(export |cd |[A-Z_]+=|until |cat >)")
#: Ends each answer of the shell.
END = "\1"


class Reader:
    """A login shell of a user."""

    def __init__(self, enter, user):
        self.shell = subprocess.Popen(
            enter + ["su", "-", user, "-s", "/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "dumb"})
        self._type("export DEBIAN_FRONTEND=noninteractive; apt-get() { command apt-get -qy \"$@\"; }; "
                   "apt() { command apt-get -qy \"$@\"; }; "
                   "sudo() { if [ \"$1\" = apt ]; then shift; command sudo apt-get -qy \"$@\"; "
                   "else command sudo \"$@\"; fi; }", PATIENCE)

    def prepare(self, command):
        """Runs a command that the reader does not see. Ends the program if it fails."""
        status, output = self._type(command, PATIENCE)
        assert status == 0, output

    def run(self, command, seconds):
        """Runs a command. Returns what is wrong, or None."""
        if seconds is None or STAYS.match(command) or command.rstrip().endswith("&"):
            status, output = self._type(command, PATIENCE)
            return None if status == 0 else f"status {status}: {output}"
        quoted = command.replace("'", "'\\''")
        limited = f"timeout --signal=INT --kill-after=5 {seconds} bash -c '{quoted}' </dev/null"
        status, output = self._type(limited, PATIENCE)
        # 124: it was ended. 130: it has ended by itself, because of SIGINT.
        if status not in (0, 124, 130):
            return f"status {status}: {output}"
        return None if status == 0 or output.strip() else "it has printed nothing"

    def close(self):
        """Ends the shell."""
        self.shell.kill()
        self.shell.wait()

    def _type(self, command, seconds):
        self.shell.stdin.write(f"{command}\nprintf '\\n%s{END}' $?\n".encode())
        self.shell.stdin.flush()
        output, deadline = b"", time.monotonic() + seconds
        while not output.endswith(END.encode()):
            ready, _, _ = select.select([self.shell.stdout], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.shell.stdout.fileno(), 65536) if ready else b""
            if not piece:
                return -1, output.decode(errors="replace") + "\n(it does not end)"
            output += piece
        text, _, status = output[:-1].decode(errors="replace").rpartition("\n")
        return int(status), text
