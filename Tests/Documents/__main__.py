"""Runs the commands of the documents as their readers would: `python3 -B Tests/Documents FOLDER PACKAGE...`, see
`make test-docs`.

Each block of commands in README.md and docs/ says in a comment before it who runs it (page.py). The reader sits at a
fresh Debian with the packages and a simulated receiver, in a folder with processes of its own and without systemd
(debian.py). What needs units, a desktop, hardware or a compiler is marked in the document with the reason; the machine
test goes through those that need units.

FOLDER keeps the Debian for the next time. Needs root.
"""
import argparse
import sys
from pathlib import Path

from debian import Debian
from page import Page
from reader import Reader

PROJECT = Path(__file__).resolve().parent.parent.parent


def run(page, debian, problems):
    """Runs the commands of a page, each in the order in which it is printed. Returns their number."""
    count = 0
    with debian.copy() as root:
        readers = {}
        for block in page.blocks:
            if block.reader is None:
                continue
            if block.reader not in readers:
                readers[block.reader] = Reader(root, block.reader)
            reader = readers[block.reader]
            for command in block.preparation:
                reader.prepare(command)
            for line, command in block.commands:
                count += 1
                problem = reader.run(command, block.seconds)
                print(f"{'FAIL' if problem else ' ok '}  {page.name}:{line}: {command.splitlines()[0][:90]}",
                      flush=True)
                if problem:
                    problems.append(f"{page.name}:{line}: {command}\n{problem}")
        for reader in readers.values():
            reader.close()
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--release", default="bookworm")
    parser.add_argument("--page", action="append", help="only this page, such as docs/users.md")
    arguments = parser.parse_args()
    names = ["README.md"] + sorted(f"docs/{path.name}" for path in (PROJECT / "docs").glob("*.md"))
    pages = [Page(PROJECT, name) for name in names if arguments.page is None or name in arguments.page]
    unmarked = [mistake for page in pages for mistake in page.mistakes]
    if unmarked:
        sys.exit("\n".join(unmarked))
    debian = Debian(arguments.folder, arguments.release, arguments.packages)
    problems, counts = [], []
    for page in pages:
        counts.append((page.name, run(page, debian, problems), page.skipped))
    print(f"\n{'document':28}{'run':>6}{'marked':>8}")
    for name, ran, skipped in counts:
        print(f"{name:28}{ran:6}{skipped:8}")
    if problems:
        sys.exit("\n\n" + "\n\n".join(problems))


main()
