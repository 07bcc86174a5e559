"""What a profile does to a receiver, tried with the real daemon. Each case is a function of the programs' folder."""

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from emulator import Emulator
from others import AG3335, AT6558, MT3333, Teseo, Venus
from made_frames import casic, measurements, sentence, skytraq, ubx
from receiver_frames import fault, split
from ublox import F9P, M8, M10, U6
from world import PYTHON, Failure, Instance, check, each, eventually, free_port, wire, world

PERSONALITIES = (U6, M8, F9P, M10, MT3333, AG3335, AT6558, Teseo, Venus)
ALL_KEYS = """interval = 0.5
model = "automotive"
constellations = ["gps", "glonass"]
messages = "ubx"
assist = ["predictions"]"""
#: The command that sets an interval of half a second, as the owner of the receiver may have done.
HALF_SECOND = {
    U6: ubx(0x0608, struct.pack("<HHH", 500, 1, 1)), M8: ubx(0x0608, struct.pack("<HHH", 250, 2, 1)),
    F9P: ubx(0x068A, bytes.fromhex("00010000 01002130 F401")), M10: ubx(0x068A, bytes.fromhex(
        "00010000 01002130 FA00 02002130 0200")), MT3333: sentence("PMTK220,500"), AG3335: sentence("PAIR050,500"),
    AT6558: casic(0x0604, struct.pack("<HH", 500, 0)), Teseo: sentence("PSTMSETPAR,1303,0.5"),
    Venus: skytraq(b"\x0e\2\0")}


def check_frames(emulator):
    """Checks each frame in both directions, and that nothing was saved."""
    name = type(emulator.personality).__name__
    for data, is_command in ((emulator.received, True), (emulator.sent, False)):
        frames, rest = split(data)
        # Fixes come again and again.
        faults = [found for protocol, frame in dict.fromkeys(frames) if (found := fault(protocol, frame, is_command))]
        check(not faults, f"{name}: {faults[:3]}")
        check(not rest, f"{name}: a frame without an end: {rest!r}")
    check(not emulator.personality.saved, f"{name}: saved: {emulator.personality.saved}")


def set_by_owner(personality):
    """Gives a receiver half a second, which is not its maker's default, and no fault to answer for."""
    frame = HALF_SECOND[type(personality)]
    for protocol, each_frame in split(frame)[0]:
        personality.answer(protocol, each_frame)
    check(personality.interval == 0.5 and not personality.saved, f"{type(personality).__name__} does not obey")


@contextlib.contextmanager
def profiled(bin, personality, profile, is_checked=True, **options):
    """A world with one receiver, whose frames are checked at the end."""
    emulator = Emulator(personality, **options)
    with world(bin, (emulator, profile)) as it:
        yield it, emulator
    if is_checked:
        check_frames(emulator)


def applied(bin):
    """Each dialect: identified, set, read back, and given back its owner's value when no app asks."""
    def run(kind, dialect):
        personality = kind()
        set_by_owner(personality)
        before = personality.values()
        with profiled(bin, personality, f'profile = "{dialect}"\ninterval = 0.2') as (it, _):
            with it.app():
                setting = it.outcome("interval")
                check(setting == {"name": "interval", "before": "0.5 s", "wanted": "0.2 s", "now": "0.2 s",
                                  "outcome": "applied"}, f"{kind.__name__}: {setting}")
                check(it.receiver()["identity"] == kind.identity, f"{kind.__name__}: {it.receiver()['identity']}")
                check(abs(personality.interval - 0.2) < 1e-9, "the receiver does not have the interval")
            eventually("the old values", lambda: personality.values() == before)
    each(run, [(kind, dialect) for kind in PERSONALITIES for dialect in ("auto", kind.dialect)])


def listed(bin):
    """locationctl watches, and lists the identity and the settings; an identity cannot write to the terminal."""
    class Spoofed(M10):
        extensions = ("FWVER=\x1b]0;owned\x07\x1b[2J", "PROTVER=34.10", "MOD=\u202ehidden")

    emulators = Emulator(M10()), Emulator(Spoofed()), Emulator(M10())
    profiles = 'profile = "auto"\ninterval = 0.5\nmodel = "sea"', 'profile = "ublox"', ""
    with world(bin, *zip(emulators, profiles)) as it:
        it.grant(it.bin / "locationctl")
        with it.watch() as output, it.app():
            check("latitude" in output.readline().decode(), "no location")
            it.outcome("interval")
            eventually("the identity", lambda: it.receiver(1).get("identity"))
            found = it.listed()
            check(found["identity"] == M10.identity, f"{found}")
            check(found["settings"] == [
                {"name": "model", "before": "portable", "wanted": "sea", "now": "sea", "outcome": "applied"},
                {"name": "interval", "before": "1 s", "wanted": "0.5 s", "now": "0.5 s", "outcome": "applied"},
            ], f"{found}")
            check("identity" not in it.listed(2) and not it.listed(2).get("settings"), f"{it.listed(2)}")
            table = it.locationctl("receivers", "--settings")
            check("\x1b" not in table and "\x07" not in table and "\u202e" not in table, f"{table!r}")
            check("MAX-M10S" in table and "applied" in table, f"{table!r}")
    for emulator in emulators:
        check_frames(emulator)
    check(not emulators[2].received, f"the one without a profile got {emulators[2].received!r}")


def all_settings(bin):
    """u-blox: all settings, put back by SIGTERM while an app asks."""
    def run(kind):
        personality = kind()
        before = personality.values()
        with profiled(bin, personality, 'profile = "auto"\n' + ALL_KEYS) as (it, emulator), it.app():
            for name in ("model", "constellations", "predictions", "messages", "interval"):
                setting = it.outcome(name)
                check(setting["outcome"] == "applied", f"{kind.__name__}: {setting}")
            check(personality.values() != before, "nothing has changed")
            check("automotive" in it.locationctl("receivers", "--settings"), "locationctl does not list it")
            it.end()
            check_put_back(emulator, before)
    each(run, [(M8,), (F9P,), (M10,)])


def check_put_back(emulator, before):
    """Waits until the receiver has read all, and checks that it has its old values."""
    personality = emulator.personality
    deadline = time.monotonic() + 10
    while personality.values() != before and time.monotonic() < deadline:
        time.sleep(0.02)
    check(personality.values() == before, f"{type(personality).__name__} did not get its values back: "
          f"{differences(before, personality.values())}; it lost {emulator.lost_frames()}")


def differences(before, after, path=""):
    """Returns the differences of two values, as texts."""
    if before == after:
        return []
    if isinstance(before, dict):
        return [text for key in before for text in differences(
            before[key], after[key], f"{path} {key:X}" if isinstance(key, int) else f"{path} {key}")]
    if isinstance(before, tuple):
        return [text for old, new in zip(before, after) for text in differences(old, new, path)]
    return [f"{path} {after!r} instead of {before!r}"]


def corrections(bin):
    """A receiver reports on the corrections that it gets, and its positions have the digits of UBX-NAV-HPPOSLLH."""
    personality = F9P()
    before = personality.values()
    emulator = Emulator(personality)
    frame = measurements(1077, 0)
    with world(bin, (emulator, 'profile = "ublox"\nmessages = "ubx"'),
               configuration="[corrections]\nenabled = true\n") as it:
        with it.app() as app, socket.socket(socket.AF_UNIX) as program:
            check(it.outcome("messages")["outcome"] == "applied", f"{it.setting('messages')}")
            program.connect(f"{it.daemon.runtime}/io.locationd.Corrections")
            program.sendall(b"\n")  # for any receiver

            def report():
                program.sendall(frame)
                time.sleep(0.1)
                return (found := it.receiver().get("corrections")) and "used" in found and found

            found = eventually("the report", report)
            check(found["used"] and found["station"] == 7 and not found["faulty"], f"{found}")
            check(it.outcome("corrections")["now"] == "rxm-rtcm", f"{it.setting('corrections')}")
            eventually("further digits", lambda: has_further_digits(app))
        check_put_back(emulator, before)
    check_frames(emulator)


def has_further_digits(app):
    """Returns whether the next location has more digits than UBX-NAV-PVT."""
    location = wire.result(app.receive(60))["update"].get("location")
    return location and abs(location["latitude"] * 1e7 - round(location["latitude"] * 1e7)) > 0.005


def constellations(bin):
    """A change of constellations restarts the engine: what is put back when the app ends arrives nevertheless."""
    def run(kind, wanted):
        personality = kind()
        before = personality.values()
        profile = f'profile = "{kind.dialect}"\nmodel = "airborne"\nconstellations = {json.dumps(wanted)}'
        with profiled(bin, personality, profile) as (it, emulator):
            with it.app():
                # A u-blox uses QZSS with GPS.
                used = [*wanted, "qzss"] if kind.dialect == "ublox" and "gps" in wanted else wanted
                names, is_early = " ".join(sorted(used)), False
                while (found := it.outcome("constellations"))["outcome"] != "applied" or found["now"] != names:
                    check(found["outcome"] == "applied", f"{kind.__name__}: {found}")
                    is_early = True
                check(not is_early, f"{kind.__name__}: \"applied\" before all constellations are")
                check(it.outcome("model")["outcome"] == "applied", f"{kind.__name__}: the model is not")
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check_put_back(emulator, before)
    each(run, [(M8, ["gps"]), (M8, ["gps", "galileo", "sbas"]), (F9P, ["glonass"]), (M10, ["gps", "galileo"]),
               (AG3335, ["gps", "galileo"])])


def interrupted(bin):
    """SIGTERM at each of the commands, one after the other: whatever has arrived is undone."""
    def run(kind, profile):
        number, is_over = 0, False
        while not is_over:
            number += 1
            personality = kind()
            before = personality.values()
            reached = []
            with profiled(bin, personality, profile) as (it, emulator):
                process = it.daemon.process

                def end(count, process=process, reached=reached, number=number):
                    if count == number:
                        reached.append(count)
                        process.terminate()

                emulator.on_frame = end
                with contextlib.suppress(wire.Closed, ConnectionError), it.app():
                    names = [line.split()[0] for line in profile.splitlines() if " = " in line]
                    wanted = {"messages", "interval", "model"} & set(names)
                    eventually("the end", lambda: reached or all(
                        (found := it.setting(name)) and found["outcome"] == "applied" for name in wanted))
                is_over = not reached
                it.end()
                check_put_back(emulator, before)
        check(number > 5, f"only {number} commands")

    each(run, [(M10, 'profile = "ublox"\nmodel = "bike"\nmessages = "ubx"\ninterval = 0.2'),
               (M8, 'profile = "ublox"\nmodel = "bike"\nmessages = "ubx"\ninterval = 0.2'),
               (AG3335, 'profile = "airoha"\nmodel = "pedestrian"\ninterval = 0.2')])


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


def fast_lines(bin):
    """On a line of 115,200 or 230,400 baud, an app that navigates gets ten fixes a second, with all sentences."""
    def run(kind, baud_rate):
        personality = kind()
        before = personality.values()
        profile = 'profile = "auto"\ninterval = "demand"'
        with profiled(bin, personality, profile, baud_rate=baud_rate) as (it, _):
            with it.app():
                eventually("the interval", lambda: it.outcome("interval")["now"] == "1 s")
                with it.app(desiredAccuracy="bestForNavigation", minimumInterval=0.1) as app:
                    eventually(f"{kind.__name__}: ten a second", lambda: abs(personality.interval - 0.1) < 1e-9)
                    start = time.monotonic()
                    for _ in range(40):
                        app.receive(20)
                    check(time.monotonic() - start < 12, "fewer than four locations a second")
                    check("GSV" not in personality.leaves_out(), "sentences are left out")
                eventually(f"{kind.__name__}: one a second", lambda: personality.values() == before)
    each(run, [(M8, 115_200), (M10, 115_200), (M10, 230_400), (MT3333, 115_200), (AG3335, 230_400)])


def power_lost(bin):
    """A receiver loses its power while its port is open: it is set again, a few times at most, and gets back the value
    that it had first."""
    def run(kind):
        personality = kind()
        set_by_owner(personality)
        before = personality.values()
        with profiled(bin, personality, f'profile = "{kind.dialect}"\ninterval = 0.2') as (it, emulator):
            with it.app() as app:
                check(it.outcome("interval")["outcome"] == "applied", f"{kind.__name__}: {it.setting('interval')}")
                # Right after it was set, a start is not believed.
                end = time.monotonic() + 11
                while time.monotonic() < end:
                    app.receive(20)
                for _ in range(2):
                    emulator.lose_power(says_so=True)
                    eventually(f"{kind.__name__}: its interval again", lambda: abs(personality.interval - 0.2) < 1e-9)
                    end = time.monotonic() + 11
                    while time.monotonic() < end:
                        app.receive(20)
                found = it.outcome("interval")
                check((found["before"], found["outcome"]) == ("0.5 s", "applied"), f"{kind.__name__}: {found}")
                # Attack: it says so again and again.
                count = emulator.count
                for _ in range(100):
                    emulator.lose_power(says_so=True)
                    time.sleep(0.05)
                check(emulator.count - count < 20, f"{kind.__name__}: {emulator.count - count} commands")
            check_put_back(emulator, before)
    each(run, [(kind,) for kind in PERSONALITIES if kind.start_texts])


def killed(bin):
    """After SIGKILL, the receiver's own restart undoes everything; the next daemon sets it again."""
    def run(kind):
        personality = kind()
        before = personality.values()
        profile = f'profile = "{kind.dialect}"\ninterval = 0.2'
        with profiled(bin, personality, profile) as (it, emulator):
            with it.app():
                it.outcome("interval")
                it.end(by=signal.SIGKILL)
            check(personality.values() != before, "it was not set")
            emulator.lose_power()
            check(personality.values() == before, "the restart does not undo it")
            it.start(profile)
            with it.app():
                check(it.outcome("interval")["before"] == "1 s", "the next daemon does not know its own value")
                it.end()
            check_put_back(emulator, before)
    each(run, [(kind,) for kind in PERSONALITIES])


def refused(bin):
    """A refusal and a lie are named, and asked once for each opening of the port."""
    def run(kind, attribute, outcome):
        personality = kind()
        before = personality.values()
        setattr(personality, attribute, True)
        with profiled(bin, personality, f'profile = "{kind.dialect}"\ninterval = 0.5') as (it, emulator):
            with it.app() as app:
                setting = it.outcome("interval")
                check(setting["outcome"] == outcome, f"{kind.__name__} that {attribute}: {setting}")
                check(setting["wanted"] == "0.5 s" and setting.get("now", "1 s") == "1 s", f"{setting}")
                count = emulator.count
                for _ in range(3):
                    app.receive(60)
                check(emulator.count == count, f"{kind.__name__} is asked again")
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check(personality.values() == before, "it was changed")
    each(run, [(kind, *mood) for kind in PERSONALITIES for mood in (("refuses", "refused"), ("lies", "ignored"))])


def unreliable(bin):
    """Every tenth answer is lost; answers take 1.2 s; a receiver does not answer commands that change nothing."""
    def run(kind, options):
        personality = kind()
        before = personality.values()
        with profiled(bin, personality, f'profile = "{kind.dialect}"\ninterval = 0.5', **options) as (it, emulator):
            with it.app():
                found = it.outcome("interval")["outcome"]
                check(found == "applied", f"{kind.__name__} with {options}: {found}")
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check_put_back(emulator, before)
    each(run, [(kind, options) for kind in PERSONALITIES for options in (
        {"drops": 10}, {"drops": 3}, {"delay": 1.2, "baud_rate": 9600})])
    with profiled(bin, M8(is_quiet=True), 'profile = "ublox"\ninterval = 1\nmodel = "portable"') as (it, _), it.app():
        check(it.outcome("interval")["outcome"] == "applied", "a quiet M8")


def standby(bin):
    """Each receiver sleeps by the form that it obeys, and wakes, also when locationd ends; one that does not sleep is
    left awake."""
    def run(personality, outcome):
        name = f"{type(personality).__name__} ({getattr(personality, 'sleeps', '')})"
        before = personality.values()
        profile = f'profile = "{personality.dialect}"\npower = "standby"\ninterval = 0.5'
        with profiled(bin, personality, profile) as (it, _):
            for _ in range(2):
                with it.app():
                    check(not personality.is_asleep and personality.is_running, f"{name} does not wake")
                    # What it forgets in its sleep is set again.
                    eventually("the interval", lambda: personality.interval == 0.5)
                setting = it.outcome("standby")
                check(setting["outcome"] == outcome, f"{name}: {setting}")
                eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
                eventually("the old values", lambda: personality.values() == before)
                if outcome == "applied":
                    eventually(f"the sleep of {name}", lambda: is_at_rest(personality))
                else:
                    check(not is_at_rest(personality), f"{name} is asleep")
            it.end()
            eventually(f"{name} awake after the end", lambda: not is_at_rest(personality))
    each(run, [(U6(), "applied"), (M8(), "applied"), (F9P(), "applied"), (M10("long"), "applied"),
               (M10("limited"), "applied"), (M10("never"), "ignored"), (MT3333(), "applied"), (AG3335(), "applied"),
               (AT6558(), "applied"), (Teseo(), "applied"), (Venus(), "unsupported")])


def is_at_rest(personality):
    return personality.is_asleep or not personality.is_running


SLEEPERS = (U6, M8, F9P, M10, MT3333, AG3335, AT6558, Teseo)


def woken(bin):
    """An app that asks while the daemon still sees whether the receiver sleeps gets its locations."""
    def run(kind):
        personality = kind()
        with profiled(bin, personality, f'profile = "{kind.dialect}"\npower = "standby"') as (it, _):
            with it.app():
                eventually("the identity", lambda: it.receiver().get("identity"))
            eventually("the sleep", lambda: is_at_rest(personality))
            with it.app() as app:
                for _ in range(2):
                    app.receive(60)
            eventually("the next sleep", lambda: is_at_rest(personality))
    each(run, [(kind,) for kind in SLEEPERS])


def restarted_and_asleep(bin):
    """The constellations are put back, which restarts the engine, and the receiver sleeps nevertheless, each time."""
    def run(kind):
        personality = kind()
        profile = f'profile = "{kind.dialect}"\npower = "standby"\nconstellations = ["gps"]'
        with profiled(bin, personality, profile) as (it, emulator):
            for number in (1, 2, 3):
                with it.app():
                    used = "gps qzss" if kind.dialect == "ublox" else "gps"
                    eventually("the constellations", lambda used=used: (
                        found := it.setting("constellations")) and found.get("now") == used)
                eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
                outcome = it.outcome("standby")["outcome"]
                check(outcome == "applied", f"{kind.__name__}, {number}: {outcome}; it lost {emulator.lost_frames()}")
                # What was written before the port was closed has been read.
                deadline = time.monotonic() + 20
                while not is_at_rest(personality) and time.monotonic() < deadline:
                    time.sleep(0.02)
                check(is_at_rest(personality),
                      f"{kind.__name__}, {number}: awake, \"{outcome}\"; it lost {emulator.lost_frames()}")
    each(run, [(M8,), (F9P,), (M10,), (AG3335,)])


def left_asleep(bin):
    """A receiver that sleeps is woken when the daemon ends or no longer reads it; after SIGKILL, by the next daemon."""
    def run(kind, how):
        personality = kind()
        asleep, awake = (f'profile = "{kind.dialect}"\n{line}' for line in ('power = "standby"', ""))
        with profiled(bin, personality, asleep) as (it, _):
            with it.app():
                eventually("the identity", lambda: it.receiver().get("identity"))
            check(it.outcome("standby")["outcome"] == "applied", "it does not sleep")
            check(is_at_rest(personality), "it does not sleep any more")
            if how == "SIGKILL":
                it.end(by=signal.SIGKILL)
                it.start(asleep)
            elif how == "SIGTERM":
                it.end()
            else:
                it.reload(awake)
            with it.app(is_patient=False) if how == "SIGKILL" else contextlib.nullcontext():
                eventually(f"the end of the sleep of {kind.__name__} after {how}", lambda: not is_at_rest(personality))
            if how == "SIGTERM":
                it.start("")
            with it.app():
                pass
    each(run, [(kind, how) for kind in SLEEPERS for how in ("SIGTERM", "SIGKILL", "reload")])


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


def database_of(kind, count=20):
    """Returns a navigation database with a place in it, as ephemerides of 4 bytes for a Teseo."""
    if kind is Teseo:
        return [sentence(f"PSTMEPHEM,{number},4,0f06bc{number:02x}") for number in range(1, count + 1)]
    return [ubx(0x1380, bytes(12) + PLACE + bytes(range(number, number + 100))) for number in range(count)]


#: 48.1234567 and 11.1234567 degrees, as u-blox has them.
PLACE = struct.pack("<ii", 481234567, 111234567)


def databases(it):
    """Returns the files of the stored databases, without one that is being written."""
    return [file for file in (Path(it.folder.name) / "state").glob("navigation-database-*") if file.suffix != ".new"]


def run_once(it, emulator, kind):
    """Runs an app until the receiver has a fix, and waits until its port is closed and its values are put back."""
    before = emulator.personality.values()
    with it.app() as app:
        eventually("the identity", lambda: it.receiver().get("identity"))
        it.outcome("acknowledgements") if kind is not Teseo else None
        # The first ones may have waited at the port since before the start.
        eventually("a fix", lambda: emulator.personality.has_fix(time.time()))
        for _ in range(3):
            app.receive(60)
    check_put_back(emulator, before)


def database(bin):
    """The navigation database is kept without a place that can be read, and given back after a restart."""
    def run(kind):
        personality = kind()
        personality.database = database_of(kind)
        profile = f'profile = "{kind.dialect}"\nassist = ["time", "position", "database"]'
        with profiled(bin, personality, profile) as (it, emulator):
            run_once(it, emulator, kind)
            file, = eventually(f"{kind.__name__}: the database", lambda: databases(it))
            content = file.read_bytes()
            check(file.stat().st_mode & 0o777 == 0o600, f"mode {file.stat().st_mode:o}")
            check(len(content) == len(b"".join(personality.database)) + 28, f"{len(content)} bytes")
            check(PLACE not in content and b"PSTM" not in content, "the place is on the disk in the clear")
            check(not personality.given, "given back to a receiver with a fix")
            it.end()
            emulator.lose_power()
            personality.first_fix_seconds, personality.started = 8, time.time()
            it.start(profile)
            with it.app():
                check(it.outcome("database")["outcome"] == "sent", f"{kind.__name__}: {it.setting('database')}")
                fixes = eventually("the first fix", lambda: it.receiver().get("firstFixes"))
                check(fixes[-1]["helped"], f"{fixes}")
            check(personality.given == personality.database, f"{kind.__name__}: {len(personality.given)} parts")
            eventually("the engine", lambda: personality.is_running)
            # A user who clears their places means the machine's, too.
            wire.call_once(it.daemon.manage, wire.MANAGE + ".ClearPlaces", {"uid": os.getuid()})
            check(not databases(it), "cleared, and still there")
    each(run, [(M8,), (M10,), (Teseo,)])


def database_interrupted(bin):
    """A database that is cut off, of another length than stated, damaged or too long replaces nothing."""
    def run(kind, fault):
        personality = kind()
        personality.database = database_of(kind)
        is_endless = fault == "endless"
        personality.stated = -1 if is_endless else None
        if fault == "damaged":
            personality.database[3] = personality.database[3][:20] + b"\x55" + personality.database[3][21:]
        elif fault == "too long":
            personality.database[3] = ubx(0x1380, bytes(261))
        elif not is_endless:
            personality.stated = fault
        flood = b"".join(database_of(kind, 100)) if is_endless else b""
        profile = f'profile = "{kind.dialect}"\nassist = ["database"]'
        with profiled(bin, personality, profile, is_checked=fault != "damaged", flood=flood) as (it, emulator):
            run_once(it, emulator, kind)
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check(it.setting("database")["outcome"] == "unanswered", f"{fault}: {it.setting('database')}")
            check(not databases(it), f"{kind.__name__}, {fault}: kept")
    each(run, [(kind, fault) for kind in (M8, M10) for fault in (-1, 19, 21, "damaged", "too long", "endless")])


def database_other(bin):
    """Another receiver of the same kind, at the same port, does not get the place of the first one."""
    def run(kind):
        personality = kind()
        personality.database = database_of(kind)
        profile = f'profile = "{kind.dialect}"\nassist = ["database"]'
        with profiled(bin, personality, profile) as (it, emulator):
            run_once(it, emulator, kind)
            file, = eventually(f"{kind.__name__}: the database", lambda: databases(it))
            it.end()
            emulator.lose_power()
            personality.identifier, personality.database = bytes(len(kind.identifier)), database_of(kind, 5)
            personality.first_fix_seconds, personality.started = 6, time.time()
            it.start(profile)
            run_once(it, emulator, kind)
            other, = eventually("the other database", lambda: set(databases(it)) - {file})
            check(not personality.given, f"{kind.__name__}: got {len(personality.given)} parts of another receiver")
            # Attack: a thief with the disk gives the first one's to it.
            os.replace(file, other)
            it.end()
            emulator.lose_power()
            personality.started = time.time()
            it.start(profile)
            with it.app():
                pass
            check(not personality.given and not other.exists(), f"{kind.__name__}: exchanged, and used")
    each(run, [(M8,), (M10,)])


def database_suspect(bin):
    """No database is taken from a receiver whose location is suspect: a false signal may have given it its orbits."""
    def run(kind):
        class Jumping(kind):
            has_jumped = False

            def place(self, now):
                latitude, longitude = kind.place(now)
                return latitude + (0.5 if self.has_jumped else 0), longitude

        personality = Jumping()
        personality.database = database_of(kind)
        profile = f'profile = "{kind.dialect}"\nassist = ["database"]'
        with profiled(bin, personality, profile) as (it, emulator):
            with it.app() as app:
                eventually("the identity", lambda: it.receiver().get("identity"))
                personality.has_jumped = True
                eventually("the doubt", lambda: it.receiver().get("integrity"))
                app.receive(60)
            eventually("the port is closed", lambda: it.receiver()["state"] == "stopped")
            check(not databases(it), f"{kind.__name__}: kept")
            question = sentence("PSTMDUMPEPHEMS") if kind is Teseo else ubx(0x1380)
            check(question not in emulator.received, f"{kind.__name__}: asked")
    each(run, [(M8,), (M10,), (Teseo,)])


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


def reloaded(bin):
    """SIGHUP while an app asks: another interval is set, and without a profile the owner's value is back."""
    def run(kind):
        personality = kind()
        set_by_owner(personality)
        before = personality.values()
        profile = f'profile = "{kind.dialect}"\ninterval = '
        with profiled(bin, personality, profile + "0.2") as (it, emulator), it.app():
            it.outcome("interval")
            it.reload(profile + "1")
            eventually("the other interval", lambda: personality.interval == 1)
            setting = it.outcome("interval")
            check((setting["before"], setting["outcome"]) == ("0.5 s", "applied"), f"{kind.__name__}: {setting}")
            it.reload("")
            eventually("the end of the settings", lambda: not it.receiver().get("settings"))
            check_put_back(emulator, before)
    each(run, [(kind,) for kind in PERSONALITIES])


class Confused(M10):
    """It answers everything in all dialects at once."""

    def answer(self, protocol, frame):
        return [*super().answer("ubx", frame if protocol == "ubx" else ubx(0x0A04)), sentence("PMTK705,A,B,C,D"),
                sentence("PAIR020,A,B"), sentence("GPTXT,01,01,02,SW=A"), sentence("PSTMVER,A"),
                sentence("PMTK001,220,3"), sentence("PAIR001,050,0"), sentence("PSTMSETPAROK,1303"),
                skytraq(b"\x80\1" + bytes(12)), skytraq(b"\x83\x0e"), casic(0x0501, b"\6\4\0\0"),
                casic(0x0604, b"\0\0\0\0"), sentence("PMTK500,-1,0"), sentence("PAIR051,9223372036854775807")]


def hostile(bin):
    """Floods of ACK, 64 kB of MON-VER, answers of other dialects: the receiver costs itself only."""
    large = ubx(0x0A04, b"A" * 65_535)
    others = b"".join((sentence("PMTK705,A,B,C,D"), sentence("PAIR001,050,0"), ubx(0x0500, b"\x06\x8a")))
    acks = ubx(0x0501, b"\x06\x8a") * 500
    cut_off = b"\xb5\x62\x0a\x04\xff\xff" + b"$" * 3000

    def run(kind, dialect, flood):
        bad, good = Emulator(kind(), flood=flood), Emulator(M10())
        profile = 'profile = "{}"\ninterval = 0.2'
        with world(bin, (bad, profile.format(dialect)), (good, profile.format("ublox"))) as it, it.app() as app:
            check(it.outcome("interval", 1)["outcome"] == "applied", "another receiver is not served")
            memory = it.daemon.anonymous_megabytes()
            for _ in range(10):
                app.receive(60)
            start = time.monotonic()
            wire.call_once(it.daemon.location, wire.LOCATION + ".GetAuthorization")
            check(time.monotonic() - start < 5, "others wait")
            growth = it.daemon.anonymous_megabytes() - memory
            # A sanitizer keeps what the daemon frees (make sanitize).
            check(growth < 30 or "ASAN_OPTIONS" in os.environ, f"the daemon's memory has grown by {growth:.0f} MB")
        for emulator in (good, bad):
            check_frames(emulator)
    each(run, [(kind, dialect, flood) for kind in (M10, MT3333) for dialect in ("auto", kind.dialect)
               for flood in (acks, large, others * 20, cut_off)]
         + [(Confused, dialect, b"") for dialect in (
             "auto", "ublox", "mtk", "airoha", "casic", "stm", "skytraq", "quectel")])


def wrong_dialect(bin):
    """A receiver that does not speak the profile's dialect is asked twice, and its fixes are used all the same."""
    def run(kind, dialect):
        personality = kind()
        before = personality.values()
        with profiled(bin, personality, f'profile = "{dialect}"\ninterval = 0.2') as (it, emulator), it.app() as app:
            found = eventually("the outcome", lambda: it.setting("identity"))
            check(found["outcome"] == "unanswered" and not it.setting("interval"), f"{found}")
            questions = {frame for _, frame in split(emulator.received)[0]}
            check(len(emulator.received) == 2 * sum(map(len, questions)), f"it got {emulator.received!r}")
            for _ in range(2):
                app.receive(60)
            check(personality.values() == before, "something was set")
    each(run, [(M10, "mtk"), (M10, "skytraq"), (MT3333, "ublox"), (AG3335, "mtk"), (AT6558, "stm"), (Teseo, "casic"),
               (Venus, "airoha")])


def untouched(bin):
    """A receiver without a profile gets not one byte, whatever apps do, also while its baud rate is detected."""
    def run(kind, baud_rate):
        emulator = Emulator(kind(), baud_rate=baud_rate)
        with world(bin, (emulator, "")) as it:
            with it.app(), it.app(desiredAccuracy="bestForNavigation", minimumInterval=0.1):
                pass
            with it.app(desiredAccuracy="kilometer", activityType="airborne"):
                pass
        check(not emulator.received, f"{kind.__name__} got {emulator.received!r}")
    each(run, [(kind, baud_rate) for kind in PERSONALITIES for baud_rate in (38_400, None)])


def greedy(bin):
    """Only the rates of the list reach a port, by apps with full accuracy; no other app has an effect on it."""
    class Recorder(M10):
        def __init__(self):
            super().__init__()
            self.intervals, self.models = set(), set()

        def answer(self, protocol, frame):
            answers = super().answer(protocol, frame)
            self.intervals.add(round(self.interval, 3))
            self.models.add(self.keys[0x20110021])
            return answers

    personality = Recorder()
    with profiled(bin, personality, 'profile = "ublox"\ninterval = "demand"\nmodel = "activity"') as (it, emulator):
        fast = ["--desired-accuracy", "bestForNavigation", "--activity", "airborne"]
        with it.app():
            it.outcome("interval"), it.outcome("model")
            count = emulator.count
            # First without a decision, then with reduced accuracy.
            for accuracy in (None, "reduced"):
                if accuracy:
                    it.grant(it.bin / "locationctl", accuracy)
                with it.watch(*fast) as output:
                    if accuracy:
                        check(output.readline(), "no location")
                    else:
                        eventually("the prompt", lambda: it.locationctl("status"))
            check(emulator.count == count and personality.intervals == {1.0},
                  f"an app without full accuracy has sent {emulator.count - count} commands")
            for interval in (0, -1, 1e-300, 1e300, 5e-324, 0.1, 0.0999, 0.15, 0.3, 0.5, 0.7, 3, 1e9):
                with contextlib.suppress(wire.Refused), it.app(
                        desiredAccuracy="bestForNavigation", minimumInterval=interval):
                    pass
        check(personality.intervals <= {0.1, 0.2, 0.5, 1.0}, f"intervals {personality.intervals}")


def unreachable(bin):
    """Nothing from apps, clients of gpsd or the network reaches a port: with and without them, it gets the same bytes.

    A manager may switch location services off and on, which closes and opens the port, so the same frames come again.
    """
    runs = []
    for attack in (None, send_to_all_ports, call_everything):
        emulator, bare = Emulator(M10()), Emulator(M10())
        others = '[[receiver]]\nsource = "socket:FOLDER/relay"\n[gpsd]\nsocket = true\nlisten = []\n'
        with world(bin, (emulator, 'profile = "ublox"\ninterval = 0.5'), (bare, ""), configuration=others) as it:
            with network(it) as ports, it.app():
                it.outcome("interval")
                if attack:
                    attack(it, ports)
            eventually("the old value", lambda: emulator.personality.interval == 1)
        check(not bare.received, f"the port without a profile got {bare.received!r}")
        check_frames(emulator)
        runs.append(emulator.received)
    check(runs[0] == runs[1], f"the port got {runs[1].hex(' ')} instead of {runs[0].hex(' ')}")
    frames = [set(split(data)[0]) for data in runs]
    check(frames[0] == frames[2], f"the port got also {frames[2] - frames[0]}")


def raw_frames():
    """Returns commands that would change a receiver, or put it to sleep."""
    return [ubx(0x068A, bytes.fromhex("00010000 01002130 6400")), ubx(0x0608, struct.pack("<HHH", 100, 1, 1)),
            ubx(0x0241, struct.pack("<IIII", 0, 0, 6, 8)), ubx(0x0604, b"\0\0\x08\0"), ubx(0x0A04),
            *map(sentence, ("PMTK220,100", "PMTK161,0", "PAIR050,100", "PAIR003", "PSTMGPSSUSPEND", "PCAS12,60")),
            casic(0x0604, struct.pack("<HH", 200, 0)), skytraq(b"\x0e\x05\0")]


@contextlib.contextmanager
def network(it):
    """Two instances of locationd-nmea until the end of the block: one receives from a port of this machine for the
    daemon, one serves the location at another. Yields the numbers of the ports."""
    folder, relay = Path(it.folder.name) / "instances", Path(it.folder.name) / "relay"
    folder.mkdir()
    ports = [free_port(), free_port()]
    allowed = 'allow = ["127.0.0.1"]\n'
    program, runtime = it.bin / "locationd-nmea", {"LOCATIOND_RUNTIME_DIRECTORY": str(it.daemon.runtime)}
    instances = [Instance(program, folder, "receiving", f'from = "tcp-listen://127.0.0.1:{ports[0]}"\n{allowed}',
                          "receive", "--socket", relay),
                 Instance(program, folder, "serving", f'to = "tcp://127.0.0.1:{ports[1]}"\n{allowed}', "serve",
                          environment=runtime)]
    try:
        it.daemon.grant(instances[1].identity, os.getuid())
        eventually("the socket of locationd-nmea", relay.exists)
        yield ports
    finally:
        faults = [found for instance in instances if (found := instance.stop())]
        check(not faults, f"{faults}")


def send_to_all_ports(it, ports):
    """Sends raw frames and each request of gpsd's protocol to the sockets and to the ports of locationd-nmea."""
    path = it.emulators[0].path.encode()
    requests = [b'?WATCH={"enable":true,"json":true,"nmea":true,"raw":2};\n',
                b'?WATCH={"enable":true,"raw":2,"device":"' + path + b'"};\n',
                b'?DEVICE={"path":"' + path + b'","bps":4800,"native":1,"cycle":0.1,"hexdata":"B5620A0400000E34"};\n',
                b"?DEVICES;\n", b"?VERSION;\n", b"?POLL;\n", b"?TOFF;\n", b"+" + path + b"\n", b"-" + path + b"\n"]
    for frame in raw_frames():
        requests += [frame, b"!" + path + b"=" + frame + b"\n", b"&" + path + b"=" + frame.hex().encode() + b"\n"]
    for each_path in (it.daemon.runtime / "gpsd", it.daemon.location, it.daemon.manage):
        for request in requests:
            with contextlib.suppress(OSError, wire.Late), wire.connect(str(each_path)) as connected:
                connected.send(request)
                connected.settimeout(0.1)
                connected.recv(4096)
    for number in ports:
        # It refuses those who connect too often.
        opened = eventually("locationd-nmea", lambda number=number: open_port(number))
        with contextlib.suppress(OSError), opened:
            opened.sendall(b"".join(requests))
            opened.settimeout(0.5)
            while opened.recv(4096):
                pass
    # The daemon has read what the receiving one passed on.
    eventually("frames from the network", lambda: it.receiver(2).get("dropped"))


def open_port(number):
    """Returns a connection to a port of this machine, or None."""
    with contextlib.suppress(OSError):
        return socket.create_connection(("127.0.0.1", number), 2)


def call_everything(it, _):
    """Makes damaged calls of every method, as an app and as a manager."""
    definitions = Path(__file__).resolve().parents[2] / "Sources/Location/LocationProtocol"
    progress = Path(it.folder.name) / "progress"
    progress.write_bytes(bytes(8))
    fuzzer = Path(__file__).resolve().parents[1] / "Adversary/fuzzer.py"
    found = subprocess.run(
        ["python3", "-B", fuzzer, "1", "0", "1", "2000", it.folder.name, it.daemon.location, it.daemon.manage,
         definitions, progress], capture_output=True, text=True, check=False, timeout=600)
    if found.returncode:
        raise Failure(found.stderr)
    it.daemon.grant(PYTHON, os.getuid())


CASES = (applied, listed, all_settings, corrections, constellations, interrupted, demand, fast_lines, power_lost,
         killed, refused, unreliable, standby, woken, restarted_and_asleep, left_asleep, reloaded, helped, database,
         database_interrupted, database_other, database_suspect, awake_share, hostile, wrong_dialect, untouched,
         greedy, unreachable)
