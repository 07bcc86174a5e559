"""Hotplugging: the dongle is plugged in, unplugged, and plugged in again under another name."""

import itertools

from image import USERS
from world import APP, PATIENCE, Stream

CONFIGURATION = "/etc/locationd/conf.d/dongle.toml"

#: Numbers the plug-in events, so that they can be distinguished in the kernel's log.
PLUGGINGS = itertools.count(1)


def configure(world, *serials):
    """Lists the converters that are receivers in the configuration, by their serial numbers."""
    text = "".join(f'[[receiver]]\nsource = "usb:{serial}"\n' for serial in serials)
    world.root.run(f"cat > {CONFIGURATION} <<'END'\n{text}END\nsystemctl reload locationd.service")


def plug(world, dongle):
    """Plugs a dongle in and waits for the kernel. Returns the time of plugging in and the kernel's log line."""
    mark = f"plugging {next(PLUGGINGS)}"
    # /dev/kmsg starts with its whole history.
    kernel = world.root.start(
        f"echo {mark} >/dev/kmsg; cat /dev/kmsg | grep --line-buffered -e '{mark}$' -e 'now attached to'")
    kernel.wait_for_line("the kernel's log", lambda line: line.endswith(mark), 30)
    plugged = world.machine.plug(dongle)
    attached = kernel.wait_for_line("the kernel to make a port", lambda line: "now attached to" in line, 30)
    world.root.run("pkill -x cat")
    return plugged, attached


def port_of(world, dongle):
    """Returns the current device node of the dongle's port."""
    link = f"/dev/serial/by-id/*_{dongle.serial}-*"
    return world.root.run(f"until readlink -e {link}; do sleep 0.05; done; udevadm settle", 20)


def a_converter_alone_is_not_grabbed(world):
    """a dongle is plugged in: 0403:6001 could be anything, so it is not opened without configuration"""
    dongle = world.machine.dongles[0]
    plug(world, dongle)
    assert port_of(world, dongle) == "/dev/ttyUSB0"
    properties = world.root.run("udevadm info --query=property /dev/ttyUSB0")
    assert "ID_VENDOR_ID=0403" in properties and "ID_MODEL_ID=6001" in properties, properties
    assert "ID_LOCATIOND" not in properties, properties
    assert world.root.run("stat --format='%a %U %G' /dev/ttyUSB0") == "660 root dialout"
    assert world.receivers() == [], world.receivers()


def the_configuration_names_it(world):
    """the configuration names it by its serial number, and alice's app gets fixes"""
    configure(world, world.machine.dongles[0].serial)
    world.grant(APP, USERS["alice"][0])
    stream = world.streams["alice"] = Stream(world.alice)
    update, _ = stream.wait_for("location")
    world.receiver = update["location"]["receiver"]
    world.report.figure(f"the receiver is called {world.receiver}")


def the_doctor_knows_what_ails_it(world):
    """locationctl doctor finds no fault, and then the faults that were introduced"""
    root = world.root
    status, output = root.try_run("locationctl doctor", PATIENCE)
    assert status == 0, f"the doctor found something:\n{output}"
    root.run("chmod 600 /dev/ttyUSB0 && echo colour = 1 > /etc/locationd/conf.d/wrong.toml")
    status, output = root.try_run("locationctl doctor", PATIENCE)
    assert status == 1 and "ttyUSB0" in output and "colour" in output, f"exit status {status}:\n{output}"
    root.run("chmod 660 /dev/ttyUSB0 && rm /etc/locationd/conf.d/wrong.toml")


def it_is_unplugged(world):
    """the dongle is unplugged: the app is notified"""
    pulled = world.machine.unplug(world.machine.dongles[0])
    _, line = world.streams["alice"].wait_for("receiverLost")
    world.report.measured("unplugging to receiverLost", line.time - pulled, at_most=1)


def it_is_found_under_another_name(world):
    """it is plugged in again while another dongle has its name: it is recognized as the same receiver"""
    dongle, other = world.machine.dongles
    plug(world, other)
    assert port_of(world, other) == "/dev/ttyUSB0"
    plugged, kernel = plug(world, dongle)
    found = world.streams["alice"].wait_for("receiverFound")[1]
    update, line = world.streams["alice"].wait_for("location")
    assert port_of(world, dongle) == "/dev/ttyUSB1"
    assert update["location"]["receiver"] == world.receiver, update
    world.report.measured("the kernel has it to receiverFound", found.time - kernel.time, at_most=3)
    world.report.measured("plugging in to the first fix, baud rate known", line.time - plugged, at_most=3)
    assert [receiver["name"] for receiver in world.receivers()] == [world.receiver]


def one_of_unknown_speed_is_found(world):
    """a new dongle with another baud rate takes its place"""
    dongle, other = world.machine.dongles
    for one in [dongle, other]:
        world.machine.unplug(one)
    world.streams["alice"].wait_for("receiverLost")
    other.speed = 57600
    configure(world, dongle.serial, other.serial)
    plugged, _ = plug(world, other)
    _, line = world.streams["alice"].wait_for("location")
    world.report.measured(
        f"plugging in to the first fix, baud rate {other.speed} to be detected", line.time - plugged, at_most=10)
    world.machine.unplug(other)
    world.streams["alice"].wait_for("receiverLost")
    configure(world, dongle.serial)
    plug(world, dongle)
    world.streams["alice"].wait_for("location")
