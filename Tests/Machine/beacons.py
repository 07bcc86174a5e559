"""Beacons through the real BlueZ: an emulated controller hears what a script says, with strengths that it says."""

import json
import statistics
import time
from pathlib import Path

from bluetooth import SWITCHES, put
from deadline import Deadline
from image import USERS
from people import wait_for
from world import APP, PATIENCE

HERE = Path(__file__).resolve().parent
UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
FOLDER = "/run/beacons"
SCRIPT = f"{FOLDER}/script"
#: The time of watching the daemon while no app asks, in seconds.
IDLE = 60


def hear(world, *beacons, **others):
    """Sets what the controller hears: beacons as (minor, dBm), with a noise of 3 dB."""
    air = {"beacons": [{"major": 1, "minor": minor, "rssi": rssi, "noise": 3} for minor, rssi in beacons]} | others
    world.root.run(f"echo '{json.dumps(air)}' > {SCRIPT}.new && mv {SCRIPT}.new {SCRIPT}", PATIENCE)


def ranged(world, count, seconds):
    """Returns an app's reports, each with the time of its arrival in seconds."""
    output = world.alice.run(
        f"timeout {seconds} locationctl beacons {UUID} --json -n {count} | "
        "while read -r line; do echo \"$(cut -d' ' -f1 /proc/uptime) $line\"; done; true", seconds + PATIENCE)
    reports = [line.split(" ", 1) for line in output.splitlines() if " {" in line]
    return [(float(uptime), json.loads(text)) for uptime, text in reports]


def the_controller_is_there(world):
    """an emulated controller of Bluetooth Low Energy; two beacons, one near, and 200 other devices that chatter"""
    root = world.root
    root.run(f"modprobe -a bluetooth hci_vhci && mkdir {FOLDER}", PATIENCE)
    hear(world, (1, -59), (2, -75), chatter=200)
    put(world, HERE / "beacon-controller.py", "/var/tmp/beacon-controller")
    root.run("systemctl start bluetooth.service && systemd-run --quiet --unit=beacon-controller "
             f"--property=StandardOutput=file:{FOLDER}/scans python3 /var/tmp/beacon-controller {SCRIPT}", PATIENCE)
    root.run("until bluetoothctl list | grep -q .; do sleep 0.5; done; bluetoothctl power on", PATIENCE)
    world.grant(APP, USERS["alice"][0])


def beacons_are_ranged(world):
    """an app ranges: once a second, the nearest first, within a factor of 1.5 after 5 s"""
    reports = ranged(world, 15, 60)
    assert len(reports) == 15, reports
    gaps = [second[0] - first[0] for first, second in zip(reports, reports[1:])]
    world.report.figure(f"seconds between two reports: {min(gaps):.2f} to {max(gaps):.2f}")
    assert 0.8 <= statistics.median(gaps) <= 1.2, gaps
    for _, report in reports[8:]:
        assert [beacon["minor"] for beacon in report["beacons"]] == [1, 2], report
        for beacon, metres in zip(report["beacons"], (1, 6.3)):
            assert metres / 1.5 <= beacon["accuracy"] <= metres * 1.5, report


def a_controller_that_filters_is_enough(world):
    """a controller passes on each beacon once in a round of discovery: the first within 12 s, and none is lost"""
    hear(world, (1, -59), filters=True)
    reports = ranged(world, 40, 90)
    first = next(number for number, (_, report) in enumerate(reports) if report["beacons"])
    world.report.figure(f"reports before the first beacon: {first}")
    assert first <= 12, reports
    assert all(report["beacons"] for _, report in reports[first + 12:]), reports


def a_flood_is_bounded(world):
    """500 identities a second: reports go on, with at most 64 beacons, and the daemon does not grow"""
    hear(world, (1, -30), flood=True)
    before = int(world.root.run(f"awk '/RssAnon/ {{ print $2 }}' /proc/{world.main_process()}/status"))
    reports = ranged(world, 20, 60)
    assert reports and all(len(report["beacons"]) <= 64 for _, report in reports)
    after = int(world.root.run(f"awk '/RssAnon/ {{ print $2 }}' /proc/{world.main_process()}/status"))
    world.report.figure(f"growth of RssAnon: {after - before} kB")
    assert after - before < 4096, f"{before} kB, {after} kB"


def an_adapter_that_is_off_is_reported(world):
    """the adapter is off: the app and the doctor are told; on, and beacons are found again"""
    hear(world, (1, -59))
    world.alice.run(f"systemd-run --user --quiet --unit=ranging locationctl beacons {UUID}", PATIENCE)
    world.root.run("bluetoothctl power off", PATIENCE)
    wait_for_doctor(world, "Bluetooth beacons cannot be found")
    world.root.run("bluetoothctl power on", PATIENCE)
    deadline = Deadline(PATIENCE)
    while "cannot be found" in world.root.try_run("locationctl doctor", PATIENCE)[1]:
        deadline.remaining("the adapter to be used again")
    world.alice.run("systemctl --user stop ranging", PATIENCE)


def wait_for_doctor(world, text):
    """Waits until the doctor says a text."""
    deadline = Deadline(PATIENCE)
    while text not in world.root.try_run("locationctl doctor", PATIENCE)[1]:
        deadline.remaining(f"the doctor to say: {text}")


def nobody_asks_for_beacons(world):
    """nobody asks: the controller does not scan, and the daemon sleeps"""
    wait_for(world, "locationctl sessions --json", lambda sessions: not sessions)
    time.sleep(IDLE + 2)
    count = world.root.run(f"switches() {{ {SWITCHES.format(pid=world.main_process())}; }}; "
                           f"before=$(switches); sleep {IDLE}; echo $(($(switches) - before))", IDLE + PATIENCE)
    world.report.figure(f"context switches in {IDLE} s while nobody asks: {count}")
    assert int(count) <= 2, f"{count} context switches in {IDLE} s"
    assert world.root.run(f"tail -n 1 {FOLDER}/scans").startswith("scan 0"), "it scans"


def the_controller_is_gone(world):
    """the controller is gone; the journal has neither a place nor a beacon"""
    world.root.run(f"systemctl stop beacon-controller; rm -r {FOLDER} /var/tmp/beacon-controller", PATIENCE)
    found = world.root.try_run(f"journalctl -b -u locationd.service -o cat | grep -i {UUID[:8]}")[1]
    assert not found, found
