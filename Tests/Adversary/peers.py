"""locationd-peers behind a socket that it inherits, as it does from its service manager."""

import os
import signal
import socket
import subprocess


class Peers:
    """A running locationd-peers that serves this user at `path`."""

    def __init__(self, program, folder):
        self.path = str(folder / "peers")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self.path)
        listener.listen(16)
        # LISTEN_PID is the process's own id, see sd_listen_fds(3).
        start = 'exec 3<&"$2"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" --user "$1"'
        with listener:
            self.process = subprocess.Popen(
                ["bash", "-c", start, program, str(os.getuid()), str(listener.fileno())],
                pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL)

    def hold(self):
        """Stops the process, so that it answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def release(self):
        """Continues the stopped process."""
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.kill()
        self.process.wait()
