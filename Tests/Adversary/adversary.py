"""Attacks the daemon as one user without a grant, and measures the effect on a granted app and on its manager."""

import tempfile
import time

import wire
from attackers import Agent, Attackers
from attacks import ATTACKS, BY_NMEA
from daemon import Ended
from report import machine, say
from samples import CELLS, table
from scene import Scene

# A revocation takes about half a second. While there are too few of them, an attack continues for up to this multiple
# of its planned duration.
STRETCH = 3
RECOVERY_SECONDS = 120
SETTLE_SECONDS = 5


class Run:
    """One run: a quiet phase, some attacks at the same time, and the phase after them."""

    def __init__(self, name, attacks, options):
        self.name, self.attacks, self.options = name, attacks, options
        self.phases, self.notes, self.findings = [], [], []

    def carry_out(self):
        with tempfile.TemporaryDirectory(prefix="locationd-adversary-", ignore_cleanup_errors=True) as folder:
            scene = None
            try:
                scene = Scene(self.options.daemon, folder, has_nmea=not BY_NMEA.isdisjoint(self.attacks))
                self.measure(scene)
            except Ended as end:
                self.findings.append(str(end))
            except wire.Late as late:
                self.findings.append(str(late))
            finally:
                if scene and (fault := scene.stop()):
                    self.findings.append(fault)
        self.judge()

    def measure(self, scene):
        self.watch(scene, "quiet", self.options.quiet_seconds)
        before = scene.receiver_usage(self.options.quiet_seconds)
        usages = [scene.nmea.mark()] if scene.nmea else []
        agent = Agent(scene.daemon)
        attackers = Attackers(scene, self.attacks, self.options.slow_fuse)
        try:
            self.watch(scene, self.name, self.options.seconds, attackers)
            busy = self.phases[1].usage
            busy.stop()
            usages += [scene.nmea.mark()] if scene.nmea else []
        finally:
            attackers.stop()
            agent.stop()
        self.note("done", ", ".join(f"{name} {attackers.done(name)}" for name in self.attacks))
        self.phases.append(scene.phase("after"))
        began = time.monotonic()
        scene.fixes.await_fixes(scene.daemon.check, RECOVERY_SECONDS)
        self.note("ten prompt fixes in a row after the attack", f"{time.monotonic() - began:.1f} s")
        time.sleep(SETTLE_SECONDS)
        after = scene.receiver_usage(SETTLE_SECONDS)
        self.note("RssAnon", f"{busy.begin:.1f} MB before, {busy.peak:.1f} MB at most, {after.end:.1f} MB after")
        self.note("processor", f"{before.percent:.1f} % before, {busy.percent:.1f} % during the attack, "
                               f"{after.percent:.1f} % after")
        self.note("log", f"{scene.daemon.log.stat().st_size / 1024:.0f} kB")
        self.note("agent", f"{agent.bytes / 1e6:.1f} MB of prompts")
        self.demand(after.end - busy.begin <= self.options.growth, f"RssAnon grew by {after.end - busy.begin:.1f} MB")
        self.demand(after.percent <= 1.5 * before.percent + 2, f"{after.percent:.1f} % of a processor after the attack")
        self.demand(not agent.interruptions, f"the agent was disconnected {agent.interruptions} times")
        self.demand(not scene.fixes.interruptions, f"the granted stream ended {scene.fixes.interruptions} times")
        if scene.nmea:
            self.judge_nmea(scene, *usages)
        for failure in sorted(set(scene.revocations.failures)):
            self.findings.append(f"a revocation failed: {failure}")

    def judge_nmea(self, scene, before, busy):
        """Compares what each instance of locationd-nmea used during the attack and uses after it."""
        scene.nmea.mark()
        time.sleep(SETTLE_SECONDS)
        for name, (memory, percent, descriptors) in scene.nmea.mark().items():
            self.note(name, f"RssAnon {before[name][0]:.1f} MB before, {busy[name][0]:.1f} MB during the attack, "
                            f"{memory:.1f} MB after; processor {busy[name][1]:.1f} %, {percent:.1f} % after; "
                            f"descriptors {before[name][2]}, {busy[name][2]}, {descriptors}")
            self.demand(memory - before[name][0] <= self.options.growth,
                        f"{name}: RssAnon grew by {memory - before[name][0]:.1f} MB")
            self.demand(percent <= 5, f"{name}: {percent:.1f} % of a processor after the attack")
            self.demand(descriptors <= before[name][2] + 4, f"{name}: {descriptors} descriptors after the attack")

    def watch(self, scene, name, seconds, attackers=None):
        """Measures a phase for at least `seconds`, and longer if there were too few revocations."""
        phase = scene.phase(name)
        self.phases.append(phase)
        revocations = phase.samples["revocations"].milliseconds
        began = time.monotonic()
        while (spent := time.monotonic() - began) < seconds or (
                len(revocations) < self.options.revocations and spent < STRETCH * seconds):
            time.sleep(0.1)
            scene.daemon.check()
            phase.usage.look()
            if attackers and (fault := attackers.check()):
                self.findings.append(fault)
                return

    def judge(self):
        """Compares the times under attack with the limit plus the machine's own delays."""
        for phase in self.phases[1:2]:
            for what, control in (("fixes", "port"), ("revocations", "disk")):
                samples = phase.samples[what]
                noise = max(phase.samples["control"].greatest, phase.samples[control].greatest)
                late = sum(time > self.options.limit + noise for time in samples.milliseconds)
                self.demand(not late, f"{late} of {len(samples.milliseconds)} {what} took longer than "
                                      f"{self.options.limit:.0f} ms and the {control}'s {noise:.1f} ms")
                self.demand(not samples.lost, f"{samples.lost} {what} were lost")

    def demand(self, fulfilled, otherwise):
        if not fulfilled:
            self.findings.append(otherwise)

    def note(self, what, text):
        self.notes.append(f"{what}: {text}")

    def report(self):
        say(f"\n== {self.name}")
        say(table([["phase", *CELLS]] + [row for phase in self.phases for row in phase.rows()]))
        for text in self.notes:
            say(text)
        for finding in self.findings:
            say(f"FINDING: {finding}")


def run(options):
    """Carries out the selected attacks. Returns whether there was a finding."""
    names = options.only or list(ATTACKS)
    if not options.slow_fuse and "slow-fuse" in names:
        if options.only:
            raise SystemExit("the attack slow-fuse needs its program: --slow-fuse PROGRAM")
        names.remove("slow-fuse")
        say("slow-fuse is left out: --slow-fuse names the program for it")
    say(machine())
    if options.each or len(names) == 1:
        runs = [Run(name, [name], options) for name in names]
    else:
        runs = [Run("all at once", names, options)]
    for each in runs:
        each.carry_out()
        each.report()
    findings = sum(len(each.findings) for each in runs)
    say(f"\n{findings or 'no'} finding{'' if findings == 1 else 's'}")
    return findings > 0
