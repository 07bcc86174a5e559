"""Opens reports in Chromium and compares their figures with a second computation.

The logs are those of Tests/Corpus, a made-up drive, and the given ones. The figures of logs whose sentences are simple
enough for figures.py are compared. Exit status: 1 if anything is wrong.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import drive
import figures
import handling
import looks
from browser import browser

CORPUS = pathlib.Path(__file__).parent.parent / "Corpus" / "logs"
# Logs with sentences of several devices, or without a date at first.
UNCOMPARED = {"marine", "old-receiver"}
FIGURES = re.compile(r'<script type="application/json" id="figures">(.*?)</script>', re.DOTALL)


class Findings:
    """What is wrong."""

    def __init__(self):
        self.count, self.subject = 0, ""

    def expect(self, holds, message):
        if not holds:
            self.count += 1
            print(f"  {self.subject}: {message}")


def report(locationctl, log, folder):
    """Writes the report of a log. Returns its path and its figures."""
    path = folder / f"{log.stem}.html"
    subprocess.run([locationctl, "report", log, "-o", path], check=True)
    return path, json.loads(FIGURES.search(path.read_text()).group(1))


def compare(locationctl, log, reported, findings):
    if log.stem in UNCOMPARED or len(reported["sections"]) != 1:
        return print(f"{log.name}: not compared")
    try:
        read = figures.read(locationctl, log)
    except figures.NotSimple as error:
        findings.expect(log.parent != CORPUS, f"{error}")
        return print(f"{log.name}: not compared: {error}")
    differences, summary = figures.compare(reported, read)
    print(f"{log.name}: {summary}")
    for difference in differences:
        findings.expect(False, difference)


def look(page, path, findings):
    looks.check(page, path, findings.expect)
    looks.check_without_script(page, path, findings.expect) if path.stem == "drive" else None
    if path.stem == "drive":
        handling.check(page, path, findings.expect)
    if path.stem == "ten-minutes":
        looks.check_print(page, path, 2, findings.expect)
    for message in page.messages():
        findings.expect(False, f"console: {message['message']}")
    requested = {url for url in page.requests() if url not in ("about:blank", "data:,")}
    findings.expect(requested == {path.as_uri()}, f"it requests {requested}")


def main(locationctl, *logs):
    findings = Findings()
    with tempfile.TemporaryDirectory() as name, browser() as page:
        folder = pathlib.Path(name)
        drive.write(folder / "drive.nmea", 14_400)
        drive.write(folder / "ten-minutes.nmea", 600)
        drive.write(folder / "no-fix.nmea", 20)
        page.open("/dev/null")
        page.requests()
        for log in [*sorted(folder.glob("*.nmea")), *sorted(CORPUS.glob("*.nmea")), *map(pathlib.Path, logs)]:
            findings.subject = log.name
            path, reported = report(locationctl, log, folder)
            compare(locationctl, log, reported, findings)
            look(page, path, findings)
    print(f"{findings.count} findings")
    return 1 if findings.count else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locationctl")
    parser.add_argument("logs", nargs="*")
    arguments = parser.parse_args()
    sys.exit(main(arguments.locationctl, *arguments.logs))
