"""Tests the running programs: `python3 Tests/Adversary fuzz|attack|held-peers|beacons|holes PROGRAM`.
See `make fuzz-daemon` and `make adversary`.

`fuzz` sends damaged calls to both sockets, `attack` carries out the attacks of one user without a grant, `held-peers`
stops the process that identifies clients, `beacons` has BlueZ and devices nearby lie, `holes` carries out single
attacks that once succeeded. Meanwhile, well-behaved clients measure their waiting times. The exit status is 1 if there
is a finding.
"""

import argparse
import os
import sys
from pathlib import Path

import adversary
import beacons
import fuzz_daemon
import held_peers
import holes
from attacks import ATTACKS


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Adversary", description=__doc__.partition("\n\n")[2])
    commands = parser.add_subparsers(dest="command", required=True)
    fuzz = commands.add_parser("fuzz", help="send fuzzed calls")
    fuzz.set_defaults(run=fuzz_daemon.run)
    fuzz.add_argument("daemon", help="the program locationd")
    fuzz.add_argument("--seed", help="the seed of the frames (default: a random one, which is printed)")
    fuzz.add_argument("--seconds", type=float, default=60, help="the duration of the load (default: 60)")
    fuzz.add_argument("--fuzzers", type=int, default=2, help="the number of sending processes (default: 2)")
    fuzz.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the first connection of the seed")
    fuzz.add_argument("--connections", type=int, default=0, metavar="COUNT", help="end after COUNT connections")
    fuzz.add_argument("--print", type=int, metavar="COUNT", help="only print the frames of COUNT connections")
    fuzz.add_argument("--limit", type=float, default=100, metavar="MS",
                      help="the longest time for a reply, in addition to the control's (default: 100)")
    fuzz.add_argument("--growth", type=float, default=8, metavar="MB",
                      help="the permitted growth of RssAnon (default: 8)")
    fuzz.add_argument("--findings", default=".build/fuzz-daemon", metavar="FOLDER",
                      help="the folder for the frames and log of a finding (default: .build/fuzz-daemon)")
    attack = commands.add_parser("attack", help="carry out the attacks of one user")
    attack.set_defaults(run=adversary.run)
    attack.add_argument("daemon", help="the program locationd")
    attack.add_argument("--only", action="append", choices=list(ATTACKS), metavar="NAME", default=[],
                        help="only this attack; may be repeated: " + ", ".join(ATTACKS))
    attack.add_argument("--each", action="store_true", help="one attack after the other, each against a new daemon")
    attack.add_argument("--seconds", type=float, default=20, help="the duration of the attacks (default: 20)")
    attack.add_argument("--quiet-seconds", type=float, default=10,
                        help="the duration of the measurement before the attack (default: 10)")
    attack.add_argument("--revocations", type=int, default=20, help="the minimum number of revocations (default: 20)")
    attack.add_argument("--limit", type=float, default=50, metavar="MS",
                        help="the longest time for a fix and a revocation, in addition to the control's (default: 50)")
    attack.add_argument("--growth", type=float, default=8, metavar="MB",
                        help="the permitted growth of RssAnon (default: 8)")
    attack.add_argument("--slow-fuse", metavar="PROGRAM",
                        help="the program for the attack slow-fuse, called with RUNTIME-DIRECTORY MILLISECONDS SECONDS "
                             "FOLDER AT-ONCE: it moves its root into a file system that answers each look-up so "
                             "late, and connects from there")
    held = commands.add_parser("held-peers", help="stop locationd-peers while clients connect to the limit")
    held.set_defaults(run=held_peers.run)
    held.add_argument("daemon", help="the program locationd")
    held.add_argument("peers", help="the program locationd-peers")
    held.add_argument("--seconds", type=float, default=20, help="the duration of each phase (default: 20)")
    held.add_argument("--limit", type=float, default=5, metavar="MS",
                      help="the permitted additional delay of 99 %% of fixes (default: 5)")
    beacon = commands.add_parser("beacons", help="send hostile advertisements, by a BlueZ of its own")
    beacon.set_defaults(run=beacons.run)
    beacon.add_argument("daemon", help="the program locationd")
    beacon.add_argument("--only", action="append", choices=list(beacons.ATTACKS), metavar="NAME", default=[],
                        help="only this attack; may be repeated: " + ", ".join(beacons.ATTACKS))
    hole = commands.add_parser("holes", help="carry out single attacks that once succeeded")
    hole.set_defaults(run=holes.run)
    hole.add_argument("programs", help="the folder with the programs")
    hole.add_argument("--only", action="append", choices=holes.names(), metavar="NAME", default=[],
                      help="only this attack; may be repeated: " + ", ".join(holes.names()))
    return parser.parse_args()


def main():
    options = arguments()
    if "daemon" in options:
        options.daemon = Path(options.daemon).resolve()
    os.umask(0o022)
    sys.exit(1 if options.run(options) else 0)


if __name__ == "__main__":
    main()
