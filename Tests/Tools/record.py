#!/usr/bin/env python3
"""Runs a command as it is printed, and records the run in Tests/RUNS.md: when, at which commit, where, and the result.

Usage: Tests/Tools/record.py make TARGET ...   runs and records it; the tree must be as it was committed.
       Tests/Tools/record.py --check           ends with status 1 unless each command of the list below has passed at
                                               this commit, or at one that differs from it in documents only.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2]
RUNS = FOLDER / "Tests/RUNS.md"
HEADER = """# Runs

The runs of the commands that take too long for each change, made by `Tests/Tools/record.py COMMAND`. A release needs
each of them at its commit, or at one that differs in documents only: `Tests/Tools/record.py --check`. The runs at that
commit are counted, and the figures are those of the last one.

| command | date | commit | machine | minutes | passed | figures |
|---|---|---|---|---|---|---|
"""
#: Each command that a release needs, with a pattern for the lines of its output that hold its figures.
COMMANDS = {
    "make test": r"Test run with \d+ tests.*|No test was left out\.|Left out: \d+",
    "make adversary": r"no findings|FINDING.*|others' worst.*",
    "make bench": r"missed: .*|all budgets are met.*|.* of the budgets.*",
    "make bench-corrections": r"first correction.*|.*% of a processor.*",
    "make deb": r"",
    "make deb-arm64": r"",
    "make deb-debian13": r"",
    "make fuzz": r"",
    "make model": r"",
    "make sanitize": r"Test run with \d+ tests.*",
    "make test-clients": r"",
    "make test-containers": r"",
    "make test-debian13": r"",
    "make test-desktop": r"",
    "make test-docs": r"",
    "make test-receivers": r"",
    "make test-sdk": r"",
    "make test-system": r"",
    "make two-worlds": r"Test run with \d+ tests.*",
}
#: What a document is: no program and no test is made from it.
DOCUMENTS = re.compile(r"[^/]+\.md|docs/.*\.(md|png)|Tests/RUNS\.md|Tests/README\.md|Sources/.*/README\.md")
ROW = re.compile(r"\| `(?P<command>[^`]+)` \| [-\d]+ \| (?P<commit>\w+) \| .* \| (?P<passed>\d+) of (?P<runs>\d+) \| ")


def git(*words):
    return subprocess.run(["git", "-C", FOLDER, *words], capture_output=True, text=True, check=True).stdout.strip()


def changes():
    """The files that are not as they were committed. The list of runs itself does not count."""
    lines = git("status", "--porcelain").splitlines()
    return [line[2:].strip() for line in lines if line[2:].strip() != str(RUNS.relative_to(FOLDER))]


def machine():
    """The processors, the memory and the system, in a few words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.M))
    system = f"{release.get('ID', 'Linux').capitalize()} {release.get('VERSION_ID', '')}".strip()
    return f"{system}, {os.uname().machine}, {os.cpu_count()} processors, {memory:.0f} GB"


def rows():
    """The rows of the list, by command."""
    lines = RUNS.read_text().splitlines() if RUNS.exists() else []
    return {found["command"]: (line, found) for line in lines if (found := ROW.match(line))}


def run(command):
    """Runs the command, shows what it writes, and returns its status and the figures."""
    pattern = re.compile(COMMANDS.get(" ".join(command[:2])) or r"$^")
    figures, last = [], ""
    with subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
            text = re.sub(r"\x1b\[[0-9;]*m", "", line.decode(errors="replace")).strip()
            last = text or last
            figures += [found[0] for found in [pattern.search(text)] if found and found[0] not in figures]
    return process.returncode, "; ".join(figures[-6:]) or last


def record(command):
    """Runs the command and writes its row. Returns its status."""
    if changed := changes():
        sys.exit(f"not as committed, so the run would say nothing about a commit: {', '.join(changed)}")
    text, commit, begin = " ".join(command), git("rev-parse", "--short=8", "HEAD"), time.monotonic()
    status, figures = run(command)
    minutes = (time.monotonic() - begin) / 60
    if changed := changes():
        sys.exit(f"not recorded, because the files changed meanwhile: {', '.join(changed)}")
    listed = rows()
    passed, runs = 0, 0
    if text in listed and listed[text][1]["commit"] == commit:
        passed, runs = int(listed[text][1]["passed"]), int(listed[text][1]["runs"])
    figures = figures.replace("|", "/").replace("`", "'")[:240]
    row = (f"| `{text}` | {time.strftime('%Y-%m-%d')} | {commit} | {machine()} | {minutes:.0f} "
           f"| {passed + (status == 0)} of {runs + 1} | {figures} |")
    lines = {name: line for name, (line, _) in listed.items()} | {text: row}
    RUNS.write_text(HEADER + "".join(lines[name] + "\n" for name in sorted(lines)))
    return status


def check():
    """Prints each command that a release still needs. Returns the status."""
    listed, missing = rows(), 0
    for command in COMMANDS:
        if command not in listed:
            reason = "has no run"
        else:
            found = listed[command][1]
            changed = [name for name in git("diff", "--name-only", found["commit"], "HEAD").splitlines()
                       if not DOCUMENTS.fullmatch(name)]
            reason = f"ran at {found['commit']}, and {changed[0]} has changed since" if changed else ""
            if found["passed"] != found["runs"]:
                reason = f"has passed {found['passed']} of {found['runs']} times at {found['commit']}"
        if reason:
            missing += 1
            print(f"{command} {reason}")
    return 1 if missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="is there a run of each command that a release needs?")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command, as it is printed")
    arguments = parser.parse_args()
    if bool(arguments.command) == arguments.check:
        parser.error("one of a command and --check")
    sys.exit(check() if arguments.check else record(arguments.command))


main()
