"""Stops locationd-peers while a user's clients connect up to the limit, and measures the effect on a granted app."""

import tempfile
import time
from pathlib import Path

from attackers import Attackers
from callers import LIMIT_MILLISECONDS
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
    usual, fixes, control = quiet.samples["fixes"], held.samples["fixes"], held.samples["control"]
    findings = [fault] if fault else []
    if fixes.lost or fixes.percentile(99) > usual.greatest + options.limit:
        findings.append(f"99 % of {len(fixes.milliseconds)} fixes took up to {fixes.percentile(99):.1f} ms, more than "
                        f"{options.limit:.0f} ms longer than the longest before, and {fixes.lost} were lost")
    elif fixes.greatest > control.greatest + LIMIT_MILLISECONDS:
        findings.append(f"a fix took {fixes.greatest:.1f} ms, an echo {control.greatest:.1f} ms at most")
    for finding in findings:
        say(f"FINDING: {finding}")
    return bool(findings)
