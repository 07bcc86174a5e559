"""Failures: the daemon dies or hangs; the machine sleeps, restarts or loses its power."""

import time

import hotplug
from dongle import COORDINATES
from image import USERS
from world import APP, PATIENCE, Stream

#: A watchdog timeout short enough for a test, instead of the unit's minutes.
WATCHDOG = "[Service]\nWatchdogSec=5s\nTimeoutAbortSec=1s\n"

#: The duration of the machine's sleep, in seconds.
SLEEP = 8


def a_killed_daemon_is_back(world):
    """kill -9: systemd starts it again, and the grants are kept"""
    pid = world.main_process()
    world.root.run(f"kill -9 {pid}")
    assert world.location(world.alice)["receiver"] == world.receiver
    assert world.main_process() != pid


def a_hung_daemon_is_restarted(world):
    """the watchdog restarts a hung daemon (SIGSTOP), with WatchdogSec=5s instead of the unit's"""
    root = world.root
    folder = "/run/systemd/system/locationd.service.d"
    root.run(f"mkdir {folder} && cat > {folder}/watchdog.conf <<'END'\n{WATCHDOG}END\n"
             "systemctl daemon-reload && systemctl restart locationd.service")
    assert root.run("systemctl show --property=WatchdogUSec --value locationd.service") == "5s"
    pid = world.main_process()
    # The daemon survives with that watchdog, so only the hang can end it.
    world.location(world.alice, "--maximum-age 0")
    began = time.monotonic()
    root.run(f"kill -STOP {pid}; while [ -e /proc/{pid} ]; do sleep 0.1; done")
    world.report.measured("hung to killed, with WatchdogSec=5s", time.monotonic() - began, at_most=12)
    assert world.location(world.alice)["receiver"] == world.receiver
    assert "watchdog" in root.run("journalctl -b -u locationd.service -o cat --grep=[Ww]atchdog")
    root.run(f"rm -r {folder} && systemctl daemon-reload && systemctl restart locationd.service")


def sleep(world):
    """Suspends the machine for SLEEP seconds. Returns the time of its wake-up, in seconds since 1970 and on the
    monotonic clock.

    Works once per boot: after a second suspend, the emulated machine wakes up at once.
    """
    world.root.run("systemctl suspend")
    world.machine.monitor.wait_for("SUSPEND", PATIENCE)
    time.sleep(SLEEP)
    woken = time.time(), time.monotonic()
    world.machine.monitor.command("system_wakeup")
    return woken


def it_sleeps_and_wakes(world):
    """the machine sleeps, and its receiver is opened again when it wakes"""
    stream = world.streams["alice"] = Stream(world.alice)
    stream.wait_for("location")
    date, moment = sleep(world)
    line = stream.wait_for_fix_since(date)
    world.report.measured("waking up to the next fix", line.time - moment, at_most=10)
    world.stop_streams()


def a_reboot_keeps_the_grants(world):
    """the machine is restarted: the grants are kept"""
    for guest in world.machine.guests.values():
        guest.forget_logins()
    began = time.monotonic()
    world.root.start("systemctl reboot")
    world.wait_for_logins()
    world.report.measured("restart of the machine", time.monotonic() - began)
    world.report.figure(world.root.run("systemd-analyze time | head -n 1"))
    world.location(world.alice)
    world.refused(world.bob)


def it_wakes_without_its_dongle(world):
    """the machine sleeps without its dongle: the last fix is too old after the wake-up; then the dongle is back"""
    dongle = world.machine.dongles[0]
    stream = world.streams["alice"] = Stream(world.alice)
    stream.wait_for("location")
    world.machine.unplug(dongle)
    stream.wait_for("receiverLost")
    woken, _ = sleep(world)
    # By a clock that stops during sleep, the last fix would still be young enough.
    status, output = world.alice.try_run(f"locationctl get --timeout 1 --maximum-age {SLEEP}", PATIENCE)
    assert status == 1 and not COORDINATES.search(output), f"a stale fix was served: {status} {output}"
    hotplug.plug(world, dongle)
    stream.wait_for_fix_since(woken)
    world.stop_streams()


def a_power_cut_keeps_an_answered_grant(world):
    """the power is cut right after bob's grant is confirmed: the grant is kept, and the database is intact"""
    world.grant(APP, USERS["bob"][0], "--always")
    world.machine.cut_power()
    world.boot()
    hotplug.plug(world, world.machine.dongles[0])
    world.location(world.bob)
    world.location(world.alice)


def the_journal_tells_no_place(world):
    """the journal names receivers and apps, but no coordinates"""
    root = world.root
    assert root.run("journalctl -F RECEIVER"), "no line names its receiver"
    assert root.run("journalctl -F APP"), "no line names its app"
    # Of Dispatch. The entry would have the command line of locationctl, with what it says of places.
    found = root.try_run("journalctl --all | grep -a 'thread priority' | head", 300)[1]
    assert not found, found
    # journald adds _CMDLINE by itself: the command line of the process that logged the entry, such as a login.
    # NetworkManager adds seconds since the boot, and one may be the figures of a coordinate.
    found = root.try_run(
        f"journalctl --all -o export | grep -aEv '^(_CMDLINE|TIMESTAMP_[A-Z]+)=' | "
        f"grep -aE '{COORDINATES.pattern}' | head", 300)[1]
    assert not found, f"places in the journal:\n{found}"
