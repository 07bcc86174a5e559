"""Runs the tests, and lists the skipped ones at the end, with the reasons.

If this user is root, the test program is run again as an ordinary user, for the tests that root's rights make
meaningless.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

# The user nobody.
ORDINARY_USER = 65534
SKIPPED = re.compile(r'^\S+ (?:Test|Suite) (?:"(?P<title>.*)"|(?P<name>\S+)) skipped(?:: "(?P<reason>.*)")?$')


def run(command, **options):
    """Runs a command, shows what it writes, and returns its status and what it has left out, with the reasons."""
    left_out = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            if found := SKIPPED.match(line.decode(errors="replace").rstrip("\n")):
                left_out[found["title"] or found["name"]] = found["reason"] or "no reason is given"
        sys.stdout.flush()
    return process.returncode, left_out


def run_as_ordinary_user(program, names):
    """Runs those tests as an ordinary user. Returns the status and what that user's run has left out."""
    functions = "|".join(sorted(re.escape(name.partition("(")[0]) for name in names))
    environment = dict(os.environ, HOME="/tmp", TMPDIR="/tmp")
    command = [program, "--testing-library", "swift-testing", "--parallel", "--filter", rf"\b({functions})\b"]
    return run(command, user=ORDINARY_USER, group=ORDINARY_USER, extra_groups=[], env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the test program")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="runs the tests")
    arguments = parser.parse_args()
    program, command = arguments.program.resolve(), arguments.command
    status, left_out = run(command)
    rooted = {name for name, reason in left_out.items() if "root" in reason and "needs root" not in reason}
    if status == 0 and rooted and os.geteuid() == 0:
        print(f"\nAs an ordinary user: {len(rooted)} tests that mean nothing as root", flush=True)
        try:
            status, still = run_as_ordinary_user(program, rooted)
            left_out = {name: why for name, why in left_out.items() if name not in rooted or name in still}
        except PermissionError:
            print(f"an ordinary user may not run {program}", flush=True)
    if left_out:
        print(f"\nLeft out: {len(left_out)}")
        for name, reason in sorted(left_out.items()):
            print(f"  {name}: {reason}")
    else:
        print("\nNo test was left out.")
    sys.exit(status)


main()
