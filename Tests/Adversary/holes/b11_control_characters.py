"""A name with control characters, or with ones that reorder text, reaches the terminal in an error or in JSON."""

import os
import shutil
import subprocess
import tempfile
import unicodedata
from pathlib import Path

from daemon import Daemon

NAME = "a\x1b[2J\x07\x9b31m\nforged: line\u202e\u2066\u2028z"
WRITTEN = r"a\u001b[2J\u0007\u009b31m\nforged: line\u202e\u2066\u2028z"


def attack(bin):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        program = folder / "a\u202e\u2066\u2028z"
        shutil.copy("/bin/true", program)
        (folder / "daemon.toml").write_text(f'log-level = "{WRITTEN}"')
        (folder / "publish.toml").write_text(f'broker = "{WRITTEN}"')
        log = "\n".join('{"timestamp":"2026-03-14T09:%02d:%02dZ","latitude":1.%d,"longitude":2,"receiver":"a\\u202ez"}'
                        % (second // 60, second % 60, second + 100) for second in range(100))
        (folder / f"{NAME}.jsonl").write_text(log)
        runs = [
            ["locationctl", NAME], ["locationctl", "watch", "-n", NAME], ["locationctl", "decode", f"/{NAME}"],
            ["locationctl", "status", "--runtime-directory", f"/{NAME}"], ["locationctl", "simulate", "--at", NAME],
            ["locationctl", "report", folder / f"{NAME}.jsonl", "-o", "-"],
            ["locationctl", "manifest", "from-plist", f"/{NAME}"],
            ["locationd", NAME], ["locationd", "--log-level", NAME], ["locationd", "--config", f"/{NAME}"],
            ["locationd", "--receiver", NAME], ["locationd", "--check", "--config", folder / "daemon.toml"],
            ["locationd-publish", NAME], ["locationd-publish", "--config", f"/{NAME}"],
            ["locationd-publish", "--check", "--config", folder / "publish.toml"], ["locationd-peers", "--user", NAME],
        ]
        daemon = Daemon(bin / "locationd", folder, "simulated")
        environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime))
        runs += [["locationctl", "grant", f"exe:{program}", "--json"], ["locationctl", "apps", "--json"]]
        try:
            raw = [run for run in runs if is_raw(bin, run, environment)]
        finally:
            daemon.stop()
    figure = f"{len(raw)} of {len(runs)} outputs had raw control or bidi characters, or a forged line"
    return figure, figure if raw else None


def is_raw(bin, run, environment):
    result = subprocess.run([bin / run[0], *run[1:]], env=environment, capture_output=True)
    text = (result.stdout + result.stderr).decode(errors="replace")
    return "\nforged: line" in text or any(
        character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") for character in text)
