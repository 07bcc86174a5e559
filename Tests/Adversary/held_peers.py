"""Stops locationd-peers while a user's clients connect up to the limit, and measures the effect on a granted app."""

import tempfile
import time
from pathlib import Path

from attackers import Attackers
from peers import Peers
from report import machine, say
from samples import CELLS, table
from scene import Scene


def run(options):
    """Carries out the measurement. Returns whether there was a finding."""
    say(machine())
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-", ignore_cleanup_errors=True) as folder:
        peers = Peers(options.peers, Path(folder))
        scene = Scene(options.daemon, folder, revokes=False, peers=peers.path)
        try:
            quiet = scene.phase("quiet")
            time.sleep(options.seconds)
            peers.hold()
            attackers = Attackers(scene, ["idle"], None)
            held = scene.phase("held")
            time.sleep(options.seconds)
            attackers.stop()
            peers.release()
        finally:
            fault = scene.stop()
            peers.stop()
    say(table([["phase", *CELLS], *quiet.rows(), *held.rows()]))
    usual, fixes = quiet.samples["fixes"], held.samples["fixes"]
    late = sum(time > usual.greatest + options.limit for time in fixes.milliseconds)
    findings = [fault] if fault else []
    if late or fixes.lost:
        findings.append(f"{late} of {len(fixes.milliseconds)} fixes were more than {options.limit:.0f} ms later than "
                        f"the latest one before, and {fixes.lost} were lost")
    for finding in findings:
        say(f"FINDING: {finding}")
    return bool(findings)
