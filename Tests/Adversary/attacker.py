"""Runs one attack as the user that it was started as, until SIGTERM.

Prints a line when it begins, and at the end how many calls or connections it made.

Usage: attacker.py ATTACK LOCATION-SOCKET MANAGE-SOCKET CONNECTIONS FOLDER [SLOW-FUSE]
"""

import signal
import sys
from pathlib import Path

from attacks import ATTACKS, Target


def main():
    name, location, manage, connections, folder, *slow_fuse = sys.argv[1:]
    target = Target(location, manage, int(connections), Path(folder), *(slow_fuse or [None]))

    def end(*_):
        print(target.done, flush=True)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    print("begun", flush=True)
    ATTACKS[name](target)


main()
