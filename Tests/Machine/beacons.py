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
#: bluetoothd with the interfaces that are experimental in it.
OVERRIDE = "/run/systemd/system/bluetooth.service.d"
EXPERIMENTAL = "[Service]\\nExecStart=\\nExecStart=/usr/libexec/bluetooth/bluetoothd -E\\n"
RESTART = ("systemctl daemon-reload && systemctl restart bluetooth.service && "
           "until bluetoothctl show | grep -q 'Powered: yes'; do bluetoothctl power on; sleep 0.5; done")


def hear(world, *beacons, **others):
    """Sets what the controller hears: beacons as (minor, dBm), with a noise of 3 dB."""
    air = {"beacons": [{"major": 1, "minor": minor, "rssi": rssi, "noise": 3} for minor, rssi in beacons]} | others
    world.root.run(f"echo '{json.dumps(air)}' > {SCRIPT}.new && mv {SCRIPT}.new {SCRIPT}", PATIENCE)


def ranged(world, count, seconds):
    """Returns an app's reports, each with the time of its arrival in seconds."""
    job = world.alice.start(f"exec timeout {seconds} locationctl beacons {UUID} --json -n {count}")
    job.wait_for_end(seconds + PATIENCE)
    return [(line.time, json.loads(line)) for line in job.lines if line.startswith("{")]


def the_controller_is_there(world):
    """an emulated controller of Bluetooth Low Energy; two beacons, one near, and 200 other devices that chatter"""
    root = world.root
    world.stop_streams()
    root.run(f"modprobe -a bluetooth hci_vhci && mkdir {FOLDER}", PATIENCE)
    hear(world, (1, -59), (2, -75), chatter=200)
    put(world, HERE / "beacon-controller.py", "/var/tmp/beacon-controller")
    root.run("systemctl start bluetooth.service && systemd-run --quiet --unit=beacon-controller "
             f"--property=StandardOutput=file:{FOLDER}/scans python3 /var/tmp/beacon-controller {SCRIPT}", PATIENCE)
    # bluetoothd switches it on by itself, and is busy meanwhile.
    root.run("until bluetoothctl show | grep -q 'Powered: yes'; do bluetoothctl power on; sleep 0.5; done", PATIENCE)
    world.grant(APP, USERS["alice"][0])


def beacons_are_ranged(world):
    """an app ranges: once a second, the nearest first, within a factor of 1.5 after 5 s"""
    began = time.monotonic()
    world.alice.run("locationctl --version", PATIENCE)
    start, began = time.monotonic() - began, time.monotonic()
    reports = ranged(world, 15, 60)
    assert len(reports) == 15, reports
    first = next(time for time, report in reports if report["beacons"]) - began
    world.report.measured("command to the first report with a beacon", first)
    # To start a program takes an emulated machine half a second.
    world.report.measured("the same, without the program's start", first - start, at_most=2)
    gaps = [second[0] - first[0] for first, second in zip(reports, reports[1:])]
    world.report.figure(f"seconds between two reports: {min(gaps):.2f} to {max(gaps):.2f}")
    assert 0.8 <= statistics.median(gaps) <= 1.2, gaps
    for _, report in reports[8:]:
        assert [beacon["minor"] for beacon in report["beacons"]] == [1, 2], report
        for beacon, metres in zip(report["beacons"], (1, 6.3)):
            assert metres / 1.5 <= beacon["accuracy"] <= metres * 1.5, report


def one_approaches_and_one_vanishes(world):
    """one beacon comes near, and another one falls silent: within seconds, the list has the first one alone"""
    job = world.alice.start(f"exec locationctl beacons {UUID} --json")

    def wait_for(beacons):
        def is_meant(line):
            return line.startswith("{") and beacons == [
                (beacon["minor"], beacon["proximity"]) for beacon in json.loads(line)["beacons"]]
        return job.wait_for_line(f"the beacons {beacons}", is_meant, PATIENCE)

    wait_for([(1, "near"), (2, "far")])
    began = time.monotonic()
    hear(world, (2, -45))
    wait_for([(2, "immediate"), (1, "unknown")])
    world.report.measured("a beacon falls silent to an unknown distance", time.monotonic() - began)
    wait_for([(2, "immediate")])
    world.report.measured("a beacon falls silent to its end in the list", time.monotonic() - began)
    world.stop_streams()
    job.wait_for_end(PATIENCE)


def wait_for_state(world, state):
    """Waits for the state of the region. Returns the time."""
    deadline = Deadline(2 * PATIENCE)
    while world.alice.run("locationctl region state shop", PATIENCE).strip() != state:
        deadline.remaining(f"the state {state}")
    return time.monotonic()


def a_region_is_entered_and_left(world):
    """a region, added on the command line: while an app in use waits, entered within 3 s and left after 30 to 40 s"""
    hear(world)
    world.alice.run(f"locationctl region add shop --beacon {UUID},1", PATIENCE)
    assert UUID in world.alice.run("locationctl region list --json", PATIENCE)
    watching = world.alice.start("exec locationctl watch --regions --json")

    def wait_for(state):
        return watching.wait_for_line(f"the state {state}", lambda line: f'"state":"{state}"' in line, 2 * PATIENCE)
    wait_for_state(world, "outside")
    began = time.monotonic()
    hear(world, (1, -59), (2, -75))
    entry = wait_for("inside").time - began
    began = time.monotonic()
    hear(world)
    exit = wait_for("outside").time - began
    world.report.measured("first packet to the entry", entry, at_most=3)
    world.report.measured("last packet to the exit", exit, at_most=40)
    assert exit >= 29, exit
    world.stop_streams()
    watching.wait_for_end(PATIENCE)


def a_monitor_is_enough(world):
    """bluetoothd runs experimental, and no app in use waits: an entry is seen within 4 s, an exit within 42 s"""
    root = world.root
    hear(world)
    world.grant(APP, USERS["alice"][0], "--always")
    root.run(f"mkdir -p {OVERRIDE} && printf '{EXPERIMENTAL}' > {OVERRIDE}/experimental.conf && {RESTART}", PATIENCE)
    wait_for_state(world, "outside")
    time.sleep(15)
    began = time.monotonic()
    hear(world, (1, -59))
    world.report.measured("first packet to the entry by a monitor", wait_for_state(world, "inside") - began, at_most=4)
    began = time.monotonic()
    hear(world)
    world.report.measured("last packet to the exit by a monitor", wait_for_state(world, "outside") - began, at_most=42)
    world.alice.run("locationctl region remove shop", PATIENCE)
    root.run(f"rm -r {OVERRIDE} && {RESTART}", PATIENCE)
    world.grant(APP, USERS["alice"][0])


def a_controller_that_filters_is_enough(world):
    """a controller passes on each beacon once in a round of discovery: the first within 12 s, and none is lost"""
    hear(world, (1, -59), filters=True)
    reports = ranged(world, 40, 90)
    first = next((number for number, (_, report) in enumerate(reports) if report["beacons"]), len(reports))
    world.report.figure(f"reports before the first beacon: {first}")
    assert first <= 12, reports
    assert all(report["beacons"] for _, report in reports[first + 12:]), reports


def a_flood_is_bounded(world):
    """100 identities a second: reports go on, with at most 64 beacons, and the daemon does not grow"""
    hear(world, (1, -30), flood=True)
    before = int(world.root.run(f"awk '/RssAnon/ {{ print $2 }}' /proc/{world.main_process()}/status"))
    reports = ranged(world, 20, 60)
    assert max(len(report["beacons"]) for _, report in reports) == 64, reports
    after = int(world.root.run(f"awk '/RssAnon/ {{ print $2 }}' /proc/{world.main_process()}/status"))
    world.report.figure(f"growth of RssAnon: {after - before} kB")
    assert after - before < 4096, f"{before} kB, {after} kB"


def an_adapter_that_is_off_is_reported(world):
    """the adapter is off: the app and the doctor are told; on, and beacons are found again"""
    hear(world, (1, -59))
    world.alice.run(f"systemd-run --user --quiet --unit=ranging locationctl beacons {UUID}", PATIENCE)
    world.root.run("until bluetoothctl power off; do sleep 0.5; done", PATIENCE)
    wait_for_doctor(world, "Bluetooth beacons cannot be found")
    world.root.run("until bluetoothctl power on; do sleep 0.5; done", PATIENCE)
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
    wait_for(world, f"locationctl sessions --json --uid {USERS['alice'][0]}", lambda sessions: not sessions)
    time.sleep(IDLE + 2)
    count = world.root.run(f"switches() {{ {SWITCHES.format(pid=world.main_process())}; }}; "
                           f"before=$(switches); sleep {IDLE}; echo $(($(switches) - before))", IDLE + PATIENCE)
    world.report.figure(f"context switches in {IDLE} s while nobody asks: {count}")
    assert int(count) <= 2, f"{count} context switches in {IDLE} s"
    assert world.root.run(f"tail -n 1 {FOLDER}/scans").startswith("scan 0"), "it scans"


def the_controller_is_gone(world):
    """the controller is gone; the journal has neither a place nor a beacon"""
    world.stop_streams()
    world.root.run(f"systemctl stop beacon-controller; rm -r {FOLDER} /var/tmp/beacon-controller", PATIENCE)
    found = world.root.try_run(f"journalctl -b -u locationd.service -o cat | grep -i {UUID[:8]}")[1]
    assert not found, found
