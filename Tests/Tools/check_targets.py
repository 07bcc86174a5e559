"""Checks that each target of the Makefile can begin: its rule expands, its files exist, its programs answer --help.

It takes the commands for make in CONTRIBUTING.md, README.md and docs/ as well, with their variables. That the options
of locationd's own programs exist is a test (DocumentedCommandsTests). Nothing is built.
"""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2]
TARGET = re.compile(r"^([a-z][a-z0-9-]*):", re.M)
#: A file of the sources in a rule: a program, a folder that is one, or what a program reads.
FILE = re.compile(r"(?<![\w./-])(?:Tests|packaging|make|systemd|data|debian|udev|man|docs|Examples)/[\w./-]*\w")
PYTHON = re.compile(r"(?:python3|venv/bin/python) -B (\S+)")
#: Made by the rule itself, or before it.
MADE = re.compile(r"docs/pictures/|Examples/\.build|debian/tmp|packaging/epoch\.")


def documented():
    """The commands for make in the documents, without those that only stand for others (TARGET, NAME=...)."""
    for page in [FOLDER / "README.md", FOLDER / "CONTRIBUTING.md", *sorted((FOLDER / "docs").rglob("*.md"))]:
        for line in re.findall(r"^ {4,}(?:sudo )?(make [^#\n]*)|`(?:sudo )?(make [^`\n]+)`", page.read_text(), re.M):
            yield page.name, (line[0] or line[1]).strip()


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rules = "\n".join(path.read_text() for path in [FOLDER / "Makefile", *(FOLDER / "make").glob("*.mk")])
    commands = {f"make {name}": "the Makefile" for name in TARGET.findall(rules)}
    for page, command in documented():
        commands.setdefault(command, page)
    faults, programs = [], set()
    for command, page in commands.items():
        words = [word for word in shlex.split(command) if word not in ("&&", ";")]
        expanded = subprocess.run([words[0], "-n", *words[1:]], cwd=FOLDER, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=60)
        if expanded.returncode != 0:
            faults.append(f"{page}: {command}: {expanded.stderr.strip().splitlines()[-1]}")
        faults += [f"{page}: {command}: there is no {name}" for name in set(FILE.findall(expanded.stdout))
                   if not list(FOLDER.glob(name + "*")) and not MADE.search(name)]
        programs |= {(found[0], found[1]) for found in PYTHON.finditer(expanded.stdout)}
    for call, program in sorted(programs):
        if not (FOLDER / program).exists():
            continue
        python = ".build/venv/bin/python" if "venv" in call else "python3"
        if not (FOLDER / python).exists() and python != "python3":
            continue
        answer = subprocess.run([python, "-B", program, "--help"], cwd=FOLDER, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=60)
        if answer.returncode != 0 or "usage" not in answer.stdout.lower():
            faults.append(f"{program} --help: {(answer.stderr.strip().splitlines() or ['says nothing'])[-1]}")
    for fault in sorted(set(faults)):
        print(fault)
    print(f"{len(commands)} commands, {len(programs)} programs, {len(set(faults))} faults")
    sys.exit(1 if faults else 0)


main()
