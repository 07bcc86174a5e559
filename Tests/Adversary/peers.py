"""locationd-peers, behind a socket as its service manager hands it over."""

import os
import signal
import socket
import subprocess


class Peers:
    """A running locationd-peers that serves this user, at `path`."""

    def __init__(self, program, folder):
        self.path = str(folder / "peers")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self.path)
        listener.listen(16)
        # LISTEN_PID is the process' own, see sd_listen_fds(3).
        start = 'exec 3<&"$2"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" --user "$1"'
        with listener:
            self.process = subprocess.Popen(
                ["bash", "-c", start, program, str(os.getuid()), str(listener.fileno())],
                pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL)

    def hold(self):
        """Has it answer nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def release(self):
        """Has it go on."""
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.kill()
        self.process.wait()
