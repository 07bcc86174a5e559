"""A user grants, by a name that no process ever has, and is told of success."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from daemon import Daemon


def attack(bin):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        shutil.copy("/bin/true", folder / "program")
        shutil.copy("/bin/true", folder / "caf\u00e9")
        (folder / "link").symlink_to("program")
        (folder / "script").write_text("#!/bin/sh\n")
        (folder / "script").chmod(0o755)
        names = [f"exe:{folder}{rest}" for rest in (
            "", "/link", "/script", "/cafe\u0301", "/program ", "/program/", "//program",
            "/../" + folder.name + "/program", "/./program", "/program (deleted)", "/missing",
            "/missing*", "/missing//x", "/missing/../x")]
        names += ["exe:/bin/cat", "exe:/dev/null", "service:x.service", "app:x.desktop", "flatpak:*", "snap:fire?ox"]
        daemon = Daemon(bin / "locationd", folder, "simulated")
        try:
            silent = [name for name in names if is_silent(bin, daemon, name)]
            unknown = ctl(bin, daemon, "grant", "exe:/bin/true", "--uid", "4000000000").returncode == 0
            text = ctl(bin, daemon, "grant", f"exe:{folder}/program").stdout
            unnamed = os.getuid() == 0 and "root" not in text
        finally:
            daemon.stop()
    figure = (f"{len(silent)} of {len(names)} names that never match were granted without a word; an unknown user "
              f"{'too' if unknown else 'not'}; root's sentence names {'no user' if unnamed else 'the user'}")
    return figure, figure if silent or unknown or unnamed else None


def is_silent(bin, daemon, name):
    """Returns whether a grant succeeds, without a remark and for exactly this name."""
    result = ctl(bin, daemon, "grant", name)
    sentence = result.stdout.removeprefix(name)
    return result.returncode == 0 and not result.stderr and sentence != result.stdout and ", which " not in sentence


def ctl(bin, daemon, *arguments):
    environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime))
    return subprocess.run([bin / "locationctl", *arguments], env=environment, capture_output=True, text=True)
