"""Bluetooth receivers through the real BlueZ: emulated adapters in pairs, one of each is this machine's.

btvirt gives an adapter one connection at a time. So each receiver has an adapter of this machine of its own.
"""

import json
import time
from pathlib import Path

from deadline import Deadline
from dongle import COORDINATES
from image import USERS
from people import wait_for
from world import APP, PATIENCE, Stream

HERE = Path(__file__).resolve().parent
CONFIGURATION = "/etc/locationd/conf.d/bluetooth.toml"
FOLDER = "/run/bluetooth-devices"

#: A pipe without a writer.
SILENCE = f"{FOLDER}/silence"

#: Where the configuration of the other receivers is meanwhile.
OTHERS = "/var/tmp/receivers"

#: This machine's adapters, and the devices at the other end of the air.
SERIAL = {"hci0": "hci3", "hci1": "hci4"}
NORDIC = {"hci2": "hci5"}
PAIRS = SERIAL | NORDIC

#: Prints the context switches of the process's threads since they began, in all.
SWITCHES = "cat /proc/{pid}/task/*/status | awk '/ctxt_switches/ {{ count += $2 }} END {{ print count }}'"

#: The time of watching the daemon while no app asks, in seconds.
IDLE = 30

#: The time of a scan for beacons beside the receivers, in seconds, and the beacons' UUID.
SCAN = 20
BEACON = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

#: The maximum time until a delivery is written to the access log, in seconds.
WRITING_INTERVAL = 60


def address(adapter):
    """The address of one of btvirt's adapters."""
    number = int(adapter.removeprefix("hci"))
    return f"00:AA:01:{number:02X}:00:{number:02X}"


def name(adapter):
    """locationd's name for the receiver that is this device."""
    return f"receiver-{adapter}"


def device(ours, theirs):
    """The path of the device that an adapter of this machine knows."""
    return f"/org/bluez/{ours}/dev_{address(theirs).replace(':', '_')}"


def put(world, script, path):
    """Writes a script of this machine to the emulated one."""
    text = script.read_text(encoding="utf-8")
    world.root.run(f"cat > {path} <<'END-OF-FILE'\n{text}\nEND-OF-FILE", PATIENCE)


def the_adapters_are_there(world):
    """bluetoothd runs, with six emulated adapters; three are receivers: two serial ports, and one with Nordic's UART"""
    root = world.root
    world.machine.unplug(world.machine.dongles[0])
    root.run("modprobe -a bluetooth hci_vhci rfcomm", PATIENCE)
    # The kernel gives an adapter up that does not answer in 10 s, as the first one may not on a busy host. Once all are
    # gone, the next ones have the same names.
    root.run(f"for attempt in 1 2 3 4 5; do systemd-run --quiet --unit=btvirt btvirt -l{2 * len(PAIRS)}; "
             f"for second in $(seq 20); do [ $(bluetoothctl list | wc -l) = {2 * len(PAIRS)} ] && exit; sleep 1; done; "
             "systemctl stop btvirt; while ls -d /sys/class/bluetooth/hci* >/dev/null 2>&1; do sleep 0.2; done; "
             "done; exit 1", 3 * PATIENCE)
    world.report.figure(root.run("bluetoothctl --version"))
    root.run(f"mkdir {FOLDER} && mkfifo {SILENCE}", PATIENCE)
    # As a device with nothing but Bluetooth Low Energy.
    for theirs in NORDIC.values():
        for setting in ("power off", "bredr off", "power on"):
            change(world, theirs, setting)
    put(world, HERE / "bluetooth-device.py", "/var/tmp/bluetooth-device")
    for kind, adapters in (("serial", SERIAL.values()), ("nordic", NORDIC.values())):
        root.run(f"systemd-run --quiet --unit=device-{kind} --property=StandardOutput=file:"
                 f"{FOLDER}/{kind} python3 /var/tmp/bluetooth-device {kind} {' '.join(adapters)}", PATIENCE)
        root.run(f"until grep -qx ready {FOLDER}/{kind}; do systemctl is-active --quiet device-{kind} || "
                 f"{{ cat {FOLDER}/{kind}; exit 1; }}; sleep 0.5; done", PATIENCE)
    root.run(f"until grep -qx advertising {FOLDER}/nordic; do sleep 0.5; done", PATIENCE)


def they_are_paired(world):
    """they are found and paired; setup offers them, and the doctor, where there is no other receiver"""
    root = world.root
    for ours, theirs in PAIRS.items():
        root.run(f"python3 /var/tmp/bluetooth-device pair {ours} {address(theirs)}", 2 * PATIENCE)
        kind = "0x1101|00001101" if theirs in SERIAL.values() else "6e400001"
        root.run(f"until busctl get-property org.bluez {device(ours, theirs)} org.bluez.Device1 UUIDs | "
                 f"grep -qE '{kind}'; do sleep 0.5; done", PATIENCE)
        # One by Bluetooth Low Energy stays connected otherwise.
        root.run(f"busctl call org.bluez {device(ours, theirs)} org.bluez.Device1 Disconnect", PATIENCE)
        wait_for_end_of_connection(world, ours, theirs)
    root.run(f"mkdir {OTHERS} && mv /etc/locationd/conf.d/*.toml {OTHERS}/ && systemctl reload locationd.service",
             PATIENCE)
    output = root.try_run("locationctl doctor", PATIENCE)[1]
    for theirs in PAIRS.values():
        assert f"setup --port bluetooth:{address(theirs)}" in output, output


def wait_for_end_of_connection(world, ours, theirs):
    """Waits until a device is not connected."""
    world.root.run(f"until busctl get-property org.bluez {device(ours, theirs)} org.bluez.Device1 Connected | "
                   "grep -q false; do sleep 0.2; done", PATIENCE)


def configure(world, *devices):
    """Has the daemon read these devices."""
    text = "".join(
        f'[[receiver]]\nsource = "bluetooth:{address(theirs)}"\nname = "{name(theirs)}"\n' for theirs in devices)
    world.root.run(f"cat > {CONFIGURATION} <<'END'\n{text}END\nsystemctl reload locationd.service", PATIENCE)


def connections(world):
    """Returns the number of the daemon's connections to the system bus."""
    names = json.loads(world.root.run("busctl --system list --unique --json=short", PATIENCE))
    return sum(str(name["pid"]) == world.main_process() for name in names)


def state(world, theirs):
    """Returns the daemon's list entry of a device."""
    return next(receiver for receiver in world.receivers() if receiver["name"] == name(theirs))


def first_fix(world, *devices):
    """Measures the time to the first fix for an app that begins to ask. Leaves its stream."""
    configure(world, *devices)
    began = time.monotonic()
    stream = world.streams["alice"] = Stream(world.alice)
    _, line = stream.wait_for("location", 2 * PATIENCE)
    world.report.measured(f"watch to the first fix of {' and '.join(devices)}", line.time - began)


def wait_for_all(world, *devices):
    """Waits until all of these devices have a fix."""
    wait_for(world, "locationctl receivers --json", lambda receivers: [
        receiver["state"] for receiver in receivers if receiver["name"] in map(name, devices)
    ] == ["running"] * len(devices))


def a_serial_port_is_read(world):
    """an app asks, and gets a fix by the serial port profile, from a daemon without AF_BLUETOOTH or a capability"""
    root = world.root
    world.grant(APP, USERS["alice"][0])
    world.stop_streams()
    # A daemon without receivers of its own looks for those in modems, through the bus.
    configure(world, "hci3")
    wait_for(world, "locationctl receivers --json", lambda receivers: all(
        receiver["state"] == "stopped" for receiver in receivers))
    world.connections = connections(world)
    first_fix(world, "hci3")
    assert state(world, "hci3")["inUse"]
    count = connections(world) - world.connections
    assert count == 1, f"{count} more connections to the bus"
    families = root.run("systemctl show --property=RestrictAddressFamilies --value locationd.service")
    assert "AF_BLUETOOTH" not in families, families
    status = root.run(f"cat /proc/{world.main_process()}/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(fields["CapEff"], 16) == int(fields["CapBnd"], 16) == 0, status
    exposure = root.run("systemd-analyze security --no-pager --threshold=15 locationd.service | tail -n 1")
    world.report.figure(exposure.strip("→ "))


def its_range_is_lost_and_found(world):
    """the device is switched off: the app is notified; it is back, and so are the fixes"""
    stream = world.streams["alice"]
    began = time.monotonic()
    device_is(world, "hci3", "off")
    _, line = stream.wait_for("receiverLost")
    world.report.measured("switched off to receiverLost", line.time - began)
    # In attempts that are far apart, with work only for BlueZ in each of them.
    before = int(world.root.run(SWITCHES.format(pid=world.main_process())))
    time.sleep(IDLE)
    count = int(world.root.run(SWITCHES.format(pid=world.main_process()))) - before
    world.report.figure(f"context switches in {IDLE} s while it is out of range: {count}")
    assert count < 40 * IDLE, f"{count} context switches in {IDLE} s: a busy loop"
    # The kernel looks for it for up to 40 s.
    wait_for(world, "locationctl receivers --json", lambda receivers: any(
        "does not answer" in receiver.get("message", "") for receiver in receivers))
    began = time.monotonic()
    # An attempt that has begun before finds nothing, and ends after 40 s: btvirt does not page as a radio does.
    device_is(world, "hci3", "on")
    _, line = stream.wait_for("location", 2 * PATIENCE)
    world.report.measured("switched on to the next fix", line.time - began)


def device_is(world, adapter, power):
    """Switches a device on or off."""
    change(world, adapter, f"power {power}")


def change(world, adapter, setting):
    """Changes a setting of an adapter."""
    # BlueZ 5.82: btmgmt waits for its input, too. It does nothing with one that cannot be waited for, and ends with it.
    world.root.run(f"btmgmt --index {adapter.removeprefix('hci')} {setting} <> {SILENCE}", PATIENCE)


def nobody_asks(world):
    """nobody asks: nothing is connected, the daemon has left the bus, and sleeps"""
    world.stop_streams()
    for ours, theirs in PAIRS.items():
        wait_for_end_of_connection(world, ours, theirs)
    deadline = Deadline(PATIENCE)
    while connections(world) != world.connections:
        deadline.remaining("the end of the connection to the bus")
    # The last deliveries are in the access log.
    time.sleep(WRITING_INTERVAL + 2)
    count = world.root.run(f"switches() {{ {SWITCHES.format(pid=world.main_process())}; }}; "
                           f"before=$(switches); sleep {IDLE}; echo $(($(switches) - before))", IDLE + PATIENCE)
    world.report.figure(f"context switches in {IDLE} s while nobody asks: {count}")
    # The report to systemd's watchdog, each 90 s, is one wake-up: two switches on a busy host.
    assert int(count) <= 2, f"{count} context switches in {IDLE} s"


def several_are_read_at_once(world):
    """two devices by the serial port profile and one with Nordic's service are read at once; its battery is known"""
    devices = list(PAIRS.values())
    first_fix(world, *devices)
    wait_for_all(world, *devices)
    assert connections(world) == world.connections + 1
    assert state(world, "hci5")["battery"] == 50, state(world, "hci5")
    # What happens to one of them does not concern the others.
    before = {theirs: state(world, theirs)["losses"] for theirs in devices}
    device_is(world, "hci3", "off")
    wait_for(world, "locationctl receivers --json", lambda receivers: any(
        receiver["name"] == name("hci3") and receiver["state"] == "lost" for receiver in receivers))
    device_is(world, "hci3", "on")
    wait_for_all(world, *devices)
    for theirs in devices[1:]:
        assert state(world, theirs)["losses"] == before[theirs], state(world, theirs)


def a_scan_takes_nothing_from_them(world):
    """an app ranges beacons beside them: no device is lost, and as many fixes come as before"""
    devices = list(PAIRS.values())

    def counted():
        return {theirs: (state(world, theirs)["losses"], state(world, theirs)["fixes"]) for theirs in devices}
    before = counted()
    world.alice.run(f"sleep {SCAN}", SCAN + PATIENCE)
    between = counted()
    world.alice.run(f"timeout {SCAN} locationctl beacons {BEACON}; true", SCAN + PATIENCE)
    after = counted()
    for theirs in devices:
        (losses, first), (_, second), (total, third) = before[theirs], between[theirs], after[theirs]
        world.report.figure(f"{theirs}: {second - first} fixes in {SCAN} s, {third - second} beside a scan")
        assert total == losses and third - second >= 0.9 * (second - first), after


def nordics_service_is_read(world):
    """an app asks, and gets a fix by Nordic's UART service; the device is switched off and on"""
    first_fix(world, "hci5")
    stream = world.streams["alice"]
    began = time.monotonic()
    device_is(world, "hci5", "off")
    _, line = stream.wait_for("receiverLost")
    world.report.measured("switched off to receiverLost, Nordic's service", line.time - began)
    began = time.monotonic()
    device_is(world, "hci5", "on")
    # With its power, the adapter has lost its advertisement, which a device makes anew when it is switched on.
    world.root.run(f": > {FOLDER}/nordic; systemctl restart device-nordic && "
                   f"until grep -qx advertising {FOLDER}/nordic; do sleep 0.5; done", PATIENCE)
    _, line = stream.wait_for("location", 2 * PATIENCE)
    world.report.measured("switched on to the next fix, Nordic's service", line.time - began)


def others_on_the_bus_get_nowhere(world):
    """a user can neither send the daemon a descriptor nor have BlueZ's name, while BlueZ runs and after its end"""
    first_fix(world, "hci3")
    put(world, HERE.parent / "Support/Scripts/Servers/hostile_bus_peer.py", "/var/tmp/hostile")
    answer = world.bob.run(
        f"export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket; "
        f"echo offer | python3 /var/tmp/hostile {world.main_process()}", PATIENCE)
    assert "Rejected" in answer, answer
    own(world)
    fixes = state(world, "hci3")["fixes"]
    wait_for(world, "locationctl receivers --json", lambda receivers: any(
        receiver["name"] == name("hci3") and receiver["fixes"] > fixes + 2 for receiver in receivers))
    world.root.run("systemctl stop bluetooth.service", PATIENCE)
    own(world)
    world.streams["alice"].wait_for("receiverLost")
    wait_for(world, "locationctl receivers --json", lambda receivers: any(
        "systemctl start bluetooth" in receiver.get("message", "") for receiver in receivers))
    world.stop_streams()


def own(world):
    """Checks that a user does not get BlueZ's name."""
    status, output = world.bob.try_run(
        "busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus RequestName su org.bluez 7",
        PATIENCE)
    assert status != 0 and "Access denied" in output, f"{status}: {output}"


def they_are_gone(world):
    """the adapters are gone, and the dongle is the receiver again"""
    root = world.root
    root.run(f"rm {CONFIGURATION} && mv {OTHERS}/* /etc/locationd/conf.d/ && systemctl reload locationd.service && "
             "systemctl stop device-serial device-nordic btvirt", PATIENCE)
    root.run(f"rm -r {FOLDER} {OTHERS} /var/tmp/bluetooth-device /var/tmp/hostile", PATIENCE)
    found = root.try_run(f"journalctl -b -u locationd.service -o cat | grep -E '{COORDINATES.pattern}'")[1]
    assert not found, found
    world.machine.plug(world.machine.dongles[0])
    deadline = Deadline(PATIENCE)
    while world.location(world.alice, "--maximum-age 0")["receiver"] != world.receiver:
        deadline.remaining("the dongle")
