"""What a profile does to a receiver, tried with the real daemon. Each case is a function of the programs' folder."""

import contextlib
import os
import subprocess
import time
from pathlib import Path

from emulator import Emulator
from others import AG3335, AT6558, MT3333, Teseo, Venus
from receiver_frames import fault, split, ubx
from ublox import F9P, M8, M10
from world import PYTHON, Failure, World, check, eventually, wire, world

PERSONALITIES = (M8, F9P, M10, MT3333, AG3335, AT6558, Teseo, Venus)
ALL_KEYS = """interval = 0.5
model = "automotive"
constellations = ["gps", "glonass"]
messages = "ubx"
assist = ["predictions"]"""


def check_frames(emulator):
    """Checks each frame in both directions, and that nothing was saved."""
    for data, is_command in ((emulator.received, True), (emulator.sent, False)):
        frames, rest = split(data)
        faults = [found for protocol, frame in frames if (found := fault(protocol, frame, is_command))]
        check(not faults, f"{type(emulator.personality).__name__}: {faults[:3]}")
        check(not is_command or not rest, f"a frame without an end: {rest!r}")
    check(not emulator.personality.saved, f"saved: {emulator.personality.saved}")


@contextlib.contextmanager
def profiled(bin, personality, profile, is_checked=True, **options):
    """A world with one receiver, whose frames are checked at the end."""
    emulator = Emulator(personality, **options)
    with world(bin, (emulator, profile)) as it:
        yield it, emulator
    if is_checked:
        check_frames(emulator)


def applied(bin):
    """Each dialect: identified, set, read back, and put back when no app asks."""
    for kind in PERSONALITIES:
        for dialect in ("auto", kind.dialect):
            personality = kind()
            before = personality.values()
            with profiled(bin, personality, f'profile = "{dialect}"\ninterval = 0.2') as (it, emulator):
                with it.app():
                    setting = it.outcome("interval")
                    check(setting == {"name": "interval", "before": "1 s", "wanted": "0.2 s", "now": "0.2 s",
                                      "outcome": "applied"}, f"{kind.__name__}: {setting}")
                    check(it.receiver()["identity"]["dialect"] == kind.dialect, "the wrong dialect")
                    check(abs(personality.interval - 0.2) < 1e-9, "the receiver does not have the interval")
                eventually("the old values", lambda: personality.values() == before)


def all_settings(bin):
    """u-blox: all settings, put back by SIGTERM while an app asks."""
    for kind in (M8, F9P, M10):
        personality = kind()
        before = personality.values()
        emulator = Emulator(personality)
        it = World(bin, (emulator, 'profile = "auto"\n' + ALL_KEYS))
        with it.app():
            for name in ("model", "constellations", "predictions", "messages", "interval"):
                setting = it.outcome(name)
                check(setting["outcome"] == "applied", f"{kind.__name__}: {setting}")
            check(personality.values() != before, "nothing has changed")
            table = subprocess.run(
                [Path(bin) / "locationctl", "receivers", "--settings", "--runtime-directory", it.daemon.runtime],
                capture_output=True, text=True, check=False).stdout
            it.daemon.process.terminate()
            it.daemon.process.wait(20)
            eventually("the old values", lambda: personality.values() == before)
        emulator.close()
        check_frames(emulator)
        check("automotive" in table and "applied" in table, f"locationctl says {table}")


def demand(bin):
    """An app that navigates gets five fixes a second, as many as 38,400 baud carry, and without it there is one."""
    for kind in (M8, M10, MT3333, AG3335):
        personality = kind()
        before = personality.values()
        with profiled(bin, personality, 'profile = "auto"\ninterval = "demand"\nmodel = "activity"') as (it, _):
            with it.app():
                eventually("the interval", lambda: it.outcome("interval")["now"] == "1 s")
                with it.app(desiredAccuracy="bestForNavigation", minimumInterval=0.1) as app:
                    eventually(f"{kind.__name__}: five a second", lambda: abs(personality.interval - 0.2) < 1e-9)
                    start, count = time.monotonic(), 0
                    while count < 20:
                        app.receive(20)
                        count += 1
                    check(time.monotonic() - start < 10, "fewer than two locations a second")
                    check("GSV" in personality.leaves_out(), "the line is too slow for all sentences")
                eventually(f"{kind.__name__}: all as it was", lambda: personality.values() == before)
            eventually("the old values", lambda: personality.values() == before)


def killed(bin):
    """After SIGKILL, the receiver's own restart undoes everything."""
    personality = M10()
    before = personality.values()
    emulator = Emulator(personality)
    it = World(bin, (emulator, 'profile = "ublox"\ninterval = 0.2'))
    with it.app():
        it.outcome("interval")
        it.daemon.process.kill()
        it.daemon.process.wait()
    check(personality.values() != before, "it was not set")
    emulator.lose_power()
    check(personality.values() == before, "the restart does not undo it")
    emulator.close()
    check_frames(emulator)


def refused(bin):
    """A refusal and a lie are named, and asked once for each opening of the port."""
    for kind in PERSONALITIES:
        for attribute, outcome in (("refuses", "refused"), ("lies", "ignored")):
            personality = kind()
            setattr(personality, attribute, True)
            with profiled(bin, personality, f'profile = "{kind.dialect}"\ninterval = 0.5') as (it, _), it.app():
                found = it.outcome("interval")["outcome"]
                check(found == outcome, f"{kind.__name__} that {attribute}: {found}")


def unreliable(bin):
    """Every tenth answer is lost; answers take 1.2 s; a receiver does not answer commands that change nothing."""
    for kind in PERSONALITIES:
        for options in ({"drops": 10}, {"delay": 1.2}):
            personality = kind()
            before = personality.values()
            with profiled(bin, personality, f'profile = "{kind.dialect}"\ninterval = 0.5', **options) as (it, _):
                with it.app():
                    found = it.outcome("interval")["outcome"]
                    check(found == "applied", f"{kind.__name__} with {options}: {found}")
                eventually("the old values", lambda: personality.values() == before)
    with profiled(bin, M8(is_quiet=True), 'profile = "ublox"\ninterval = 1\nmodel = "portable"') as (it, _), it.app():
        check(it.outcome("interval")["outcome"] == "applied", "a quiet M8")


def standby(bin):
    """Each receiver sleeps by the form that it obeys, and wakes, also when locationd ends; one that does not sleep is
    left awake."""
    for personality, outcome in (
            (M8(), "applied"), (F9P(), "applied"), (M10("long"), "applied"), (M10("limited"), "applied"),
            (M10("never"), "ignored"), (MT3333(), "applied"), (AG3335(), "applied"), (AT6558(), "applied"),
            (Teseo(), "applied"), (Venus(), "unsupported")):
        name = f"{type(personality).__name__} ({getattr(personality, 'sleeps', '')})"
        with profiled(bin, personality, f'profile = "{personality.dialect}"\npower = "standby"') as (it, _):
            with it.app():
                eventually("the identity", lambda: it.receiver().get("identity"))
            setting = it.outcome("standby")
            check(setting["outcome"] == outcome, f"{name}: {setting}")
            awake = personality.is_running and not personality.is_asleep
            check(awake == (outcome != "applied"), f"{name} is {'awake' if awake else 'asleep'}")
            with it.app():
                check(not personality.is_asleep and personality.is_running, f"{name} does not wake")
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            it.daemon.process.terminate()
            it.daemon.process.wait(20)
            eventually(f"{name} awake after the end", lambda: not personality.is_asleep and personality.is_running)


def helped(bin):
    """After a fix, the next start tells the receiver the cell of 5 km, and no place that is more exact."""
    for kind in (M8, M10, AG3335):
        personality = kind()
        personality.first_fix_seconds = 3
        profile = f'profile = "{kind.dialect}"\nassist = ["position"]'
        with profiled(bin, personality, profile) as (it, emulator):
            for starts in (1, 2):
                personality.started = time.time()
                with it.app():
                    eventually("the identity", lambda: it.receiver().get("identity"))
                    fixes = eventually("the first fix", lambda: it.receiver().get("firstFixes"))
                    check([fix["helped"] for fix in fixes] == [False, True][:starts], f"{kind.__name__}: {fixes}")
                eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check(it.setting("position") == {"name": "position", "outcome": "sent"}, f"{kind.__name__}: not told")
            places = [frame for protocol, frame in split(emulator.received)[0] if b"$PAIR600" in frame
                      or protocol == "ubx" and frame[2:4] == b"\x13\x40"]
            check(len(places) == 1, f"{kind.__name__} was told {places}")


def awake_share(bin):
    """An app that needs a kilometre: the share of the time in which the receiver is awake. Returns the figures."""
    figures = []
    for profile in ('profile = "ublox"', 'profile = "ublox"\npower = "standby"\ninterval = "demand"'):
        personality = M10("long")
        with profiled(bin, personality, profile) as (it, _):
            with it.app():
                eventually("the identity", lambda: it.receiver().get("identity"))
            with it.app(desiredAccuracy="kilometer"):
                awake, samples, end = 0, 0, time.monotonic() + 190
                while time.monotonic() < end:
                    samples += 1
                    awake += not personality.is_asleep
                    time.sleep(0.05)
        figures.append(awake / samples)
    check(figures[0] == 1 and figures[1] < 0.5, f"awake {figures}")
    return f"awake {figures[0]:.0%} without standby, {figures[1]:.0%} with it, in three minutes of one fix a minute"


def hostile(bin):
    """Floods of ACK, 64 kB of MON-VER, answers of another dialect: the receiver costs itself only."""
    large = b"\xb5\x62\x0a\x04\xff\xff" + b"A" * 65_535
    others = b"".join((b"$PMTK705,A,B,C,D*37\r\n", b"$PAIR001,050,0*3E\r\n", ubx(0x0500, b"\x06\x8a")))
    for flood in (ubx(0x0501, b"\x06\x8a") * 500, large, others * 20):
        bad, good = Emulator(M10(), flood=flood), Emulator(M10())
        profile = 'profile = "ublox"\ninterval = 0.2'
        with world(bin, (bad, profile), (good, profile)) as it, it.app():
            check(it.outcome("interval", 1)["outcome"] == "applied", "another receiver is not served")
            start = time.monotonic()
            wire.call_once(it.daemon.location, wire.LOCATION + ".GetAuthorization")
            check(time.monotonic() - start < 5, "others wait")
        check_frames(good)


def untouched(bin):
    """A receiver without a profile gets not one byte, whatever apps do."""
    emulator = Emulator(M10())
    with world(bin, (emulator, "")) as it:
        with it.app(), it.app(desiredAccuracy="bestForNavigation", minimumInterval=0.1):
            pass
        with it.app(desiredAccuracy="kilometer"):
            pass
    check(not emulator.received, f"it got {emulator.received!r}")


def unreachable(bin):
    """Nothing from apps, managers or clients of gpsd reaches a port: with and without them, it gets the same frames.

    A manager may switch location services off and on, which closes and opens the port, so frames may come again.
    """
    runs = []
    for is_attacked in (False, True):
        emulator, bare = Emulator(M10()), Emulator(M10())
        gpsd = '[gpsd]\nsocket = true\nlisten = []\n'
        with world(bin, (emulator, 'profile = "ublox"\ninterval = 0.5'), (bare, ""), configuration=gpsd) as it, \
                it.app():
            it.outcome("interval")
            if is_attacked:
                send_everything(bin, it)
        check(not bare.received, f"the port without a profile got {bare.received!r}")
        frames, rest = split(emulator.received)
        check(not rest, f"the port got {rest!r}")
        runs.append({frame for _, frame in frames})
        check_frames(emulator)
    check(runs[0] == runs[1], f"the port got also {runs[1] - runs[0]}")


def send_everything(bin, it):
    """Sends each request of gpsd's protocol, raw frames, and damaged calls of every method."""
    command = ubx(0x068A, bytes.fromhex("00010000010021306400"))
    gpsd = [b'?WATCH={"enable":true,"raw":2,"device":"/dev/pts/0"};\n',
            b'?DEVICE={"bps":4800,"native":1,"cycle":0.1};\n', b"?POLL;\n",
            b"!/dev/pts/0=" + command + b"\n", b"&/dev/pts/0=" + command.hex().encode() + b"\n",
            b"+/dev/pts/0\n", command, b"$PMTK220,100*2F\r\n"]
    for path in (it.daemon.runtime / "gpsd", it.daemon.location, it.daemon.manage):
        for request in gpsd:
            with contextlib.suppress(OSError, wire.Late), wire.connect(str(path)) as connected:
                connected.send(request)
                connected.settimeout(0.2)
                connected.recv(4096)
    definitions = Path(__file__).resolve().parents[2] / "Sources/Location/LocationProtocol"
    progress = it.daemon.runtime.parent / "progress"
    progress.write_bytes(bytes(8))
    fuzzer = Path(__file__).resolve().parents[1] / "Adversary/fuzzer.py"
    found = subprocess.run(
        ["python3", "-B", fuzzer, "1", "0", "1", "2000", it.daemon.runtime.parent, it.daemon.location,
         it.daemon.manage, definitions, progress], capture_output=True, text=True, check=False, timeout=600)
    if found.returncode:
        raise Failure(found.stderr)
    it.daemon.grant(PYTHON, os.getuid())


CASES = (applied, all_settings, demand, killed, refused, unreliable, standby, helped, awake_share, hostile, untouched,
         unreachable)
