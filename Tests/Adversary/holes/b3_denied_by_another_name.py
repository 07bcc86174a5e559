"""A user denies, revokes or resets a program by a link to it, is told of success, and nothing has changed."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from daemon import Daemon


def attack(bin):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        program, link = folder / "python3.11", folder / "python3"
        shutil.copy("/bin/true", program)
        link.symlink_to(program)
        daemon = Daemon(bin / "locationd", folder, "simulated")
        try:
            kept = [command for command in ("deny", "revoke", "reset") if is_kept(bin, daemon, command, program, link)]
        finally:
            daemon.stop()
    figure = f"{len(kept)} of 3 commands by a link left the grant in force and said success"
    return figure, figure if kept else None


def is_kept(bin, daemon, command, program, link):
    """Returns whether the program is still granted after a command about the link that succeeded."""
    ctl(bin, daemon, "grant", "--always", f"exe:{program}")
    succeeded = ctl(bin, daemon, command, f"exe:{link}").returncode == 0
    return succeeded and "authorizedAlways" in ctl(bin, daemon, "apps", "--json").stdout


def ctl(bin, daemon, *arguments):
    environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime))
    return subprocess.run([bin / "locationctl", *arguments], env=environment, capture_output=True, text=True)
