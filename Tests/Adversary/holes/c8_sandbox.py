"""A program in a sandbox that is neither Flatpak nor snap reads its own prompt on the management socket and answers it.

Its user is in the socket's group, so that polkit is not asked.
"""

import os
import subprocess
import tempfile

from daemon import Daemon
from programs import attacker_uid, find_interpreter

# A call with a reply of its own, in as few lines as a sandboxed program needs.
CALL = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(10)
try:
    s.connect(sys.argv[1])
    s.sendall(b'{"method":"io.locationd.Manage.ListApps"}\\0')
    reply = s.recv(65536)
except OSError as error:
    reply = str(error).encode()
print("answered" if b'"apps"' in reply else "refused")
"""
SANDBOXES = {
    "none": [],
    "user namespace": ["unshare", "--user", "--map-root-user"],
    "process namespace": ["unshare", "--user", "--map-root-user", "--pid", "--fork"],
    "bwrap": ["bwrap", "--dev-bind", "/", "/", "--unshare-pid"],
    "bwrap with its own root": ["bwrap", "--bind", "/", "/", "--proc", "/proc", "--dev", "/dev"],
}


def attack(bin):
    if os.geteuid() != 0:
        return "not carried out: needs root", None
    interpreter, home = find_interpreter()
    user = attacker_uid()
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        os.chmod(folder, 0o755)
        daemon = Daemon(bin / "locationd", folder, "simulated")
        try:
            os.chmod(daemon.runtime, 0o755)
            os.chown(daemon.manage, -1, user)
            got = {}
            for name, sandbox in SANDBOXES.items():
                done = subprocess.run(
                    [*sandbox, interpreter, "-c", CALL, daemon.manage], capture_output=True, text=True, cwd="/",
                    env={"PYTHONHOME": home, "PATH": "/usr/bin:/bin"}, user=user, group=user, extra_groups=[])
                got[name] = done.stdout.strip() or f"not carried out: {done.stderr.strip()[-80:]}"
        finally:
            daemon.stop()
    figure = "; ".join(f"{name}: {answer}" for name, answer in got.items())
    if got["none"] != "answered":
        return figure, "the control is not answered"
    return figure, "a sandbox manages" if any(got[name] == "answered" for name in list(SANDBOXES)[1:]) else None
