"""Sends fuzzed calls to both sockets of the daemon, and measures the effect on well-behaved clients."""

import random
import tempfile
import time
from pathlib import Path

import wire
from daemon import Ended
from load import Keeper, Load
from plan import Plan
from report import machine, say
from samples import CELLS, table
from scene import Scene

DEFINITIONS = Path(__file__).resolve().parents[2] / "Sources/Location/LocationProtocol"
IDLE_SECONDS = 5
SETTLE_SECONDS = 5
RECOVERY_SECONDS = 120
PROGRESS_SECONDS = 60


class Run:
    """One run: an idle phase, the load, and the phase after it."""

    def __init__(self, options):
        self.options = options
        self.phases, self.notes, self.findings = [], [], []
        self.folder = Path(options.findings) / str(options.seed)
        self.memory = []
        self.shown_late = False

    def carry_out(self):
        with tempfile.TemporaryDirectory(prefix="locationd-fuzz-", ignore_cleanup_errors=True) as folder:
            scene = None
            try:
                scene = Scene(self.options.daemon, folder, revokes=False)
                self.measure(scene)
            except Ended as end:
                self.findings.append(str(end))
            except wire.Late as late:
                self.findings.append(str(late))
            finally:
                if scene:
                    if (fault := scene.stop()) and not self.findings:
                        self.findings.append(fault)
                    if self.findings:
                        self.folder.mkdir(parents=True, exist_ok=True)
                        (self.folder / "locationd.log").write_bytes(scene.daemon.log.read_bytes())

    def measure(self, scene):
        self.phases.append(scene.phase("idle"))
        time.sleep(IDLE_SECONDS)
        before = scene.receiver_usage(IDLE_SECONDS)
        keeper = Keeper(scene)
        keeper.start()
        load = Load(scene, self.options.seed, DEFINITIONS, self.options.first, self.options.connections,
                    self.options.fuzzers)
        self.phases.append(scene.phase("load"))
        usage = self.phases[1].usage
        try:
            self.watch(scene, load, usage)
            usage.stop()
        except Ended:
            self.save(load, "last-frames")
            raise
        finally:
            total, faults = load.stop()
            self.note("sent", ", ".join(f"{count} {what}" for what, count in total.items()))
            keeper.stop()
        self.findings += faults
        self.phases.append(scene.phase("after"))
        scene.fixes.await_fixes(scene.daemon.check, RECOVERY_SECONDS)
        time.sleep(SETTLE_SECONDS)
        after = scene.receiver_usage(SETTLE_SECONDS)
        course = ", ".join(f"{self.memory[len(self.memory) * quarter // 4 - 1]:.1f}" for quarter in (1, 2, 3, 4))
        self.note("RssAnon", f"{usage.begin:.1f} MB before, {course} MB after each quarter of the load, "
                             f"{usage.peak:.1f} MB at most, {after.end:.1f} MB after")
        self.note("processor", f"{before.percent:.1f} % before, {usage.percent:.1f} % during the load, "
                               f"{after.percent:.1f} % after")
        self.note("descriptors", f"{scene.daemon.descriptors()} after")
        self.note("log", f"{scene.daemon.log.stat().st_size / 1024:.0f} kB")
        for failure in sorted(keeper.failures):
            self.findings.append(f"the administrator's call failed: {failure}")
        self.demand(after.end - usage.begin <= self.options.growth, f"RssAnon grew by {after.end - usage.begin:.1f} MB")
        self.demand(after.percent <= 1.5 * before.percent + 2, f"{after.percent:.1f} % of a processor after the load")
        self.judge_replies()

    def watch(self, scene, load, usage):
        """Waits until the load is over. Saves the frames at the first late reply."""
        end = time.monotonic() + self.options.seconds
        shown = time.monotonic()
        while time.monotonic() < end and load.running():
            time.sleep(0.1)
            scene.daemon.check()
            usage.look()
            self.memory.append(usage.end)
            samples = self.phases[1].samples
            if not self.shown_late and samples["replies"].greatest > self.limit():
                self.shown_late = True
                self.save(load, "frames-before-late-reply")
            if time.monotonic() - shown >= PROGRESS_SECONDS:
                shown = time.monotonic()
                say(f"at connection {max(load.present())}: RssAnon {usage.end:.1f} MB, "
                    f"replies at most {samples['replies'].greatest:.1f} ms")

    def limit(self):
        """Returns the longest permitted time for a reply in milliseconds, including the machine's own delays."""
        return self.options.limit + self.phases[1].samples["control"].greatest

    def judge_replies(self):
        replies, noise = (self.phases[1].samples[what] for what in ("replies", "control"))
        late = sum(time > self.limit() for time in replies.milliseconds)
        self.demand(not late, f"{late} of {len(replies.milliseconds)} replies took longer than "
                              f"{self.options.limit:.0f} ms and the control's {noise.greatest:.1f} ms")
        self.demand(not replies.lost, f"{replies.lost} calls had no reply")

    def save(self, load, name):
        self.folder.mkdir(parents=True, exist_ok=True)
        load.write_frames(self.folder / name)

    def demand(self, fulfilled, otherwise):
        if not fulfilled:
            self.findings.append(otherwise)

    def note(self, what, text):
        self.notes.append(f"{what}: {text}")


def run(options):
    """Fuzzes the daemon according to the options. Returns whether there was a finding."""
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**9)
    if options.print:
        plan = Plan(options.seed, DEFINITIONS)
        for number in range(options.first, options.first + options.print):
            for line in plan.lines(number):
                say(line)
        return False
    say(f"seed {options.seed}; {machine()}")
    fuzz = Run(options)
    fuzz.carry_out()
    say(table([["phase", *CELLS]] + [row for phase in fuzz.phases for row in phase.rows()]))
    for text in fuzz.notes:
        say(text)
    for finding in fuzz.findings:
        say(f"FINDING: {finding}")
    if fuzz.findings:
        say(f"its frames and log are in {fuzz.folder}; --seed {options.seed} repeats the frames")
    say(f"{len(fuzz.findings) or 'no'} finding{'' if len(fuzz.findings) == 1 else 's'} with seed {options.seed}")
    return bool(fuzz.findings)
