"""Runs one attack as the current user, until SIGTERM.

Prints a line when the attack begins, and the number of its calls or connections at the end.

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
