"""`locationctl setup` at a UART, as of a HAT, with a receiver's log soldered to it. Transcripts are in the logs."""

import re

from desktop import transcribe
from world import PATIENCE

#: Prints the name of the UART, which is on a PCI card of qemu's, and that of the card.
FIND = """
for port in /sys/class/tty/ttyS*; do
    card=$(realpath $port/device); while [ ! -e $card/vendor ] && [ $card != / ]; do card=$(dirname $card); done
    grep -qs 0x1b36 $card/vendor && echo ${port##*/} ${card##*/} && break
done
"""


def nothing_is_plugged_in(world):
    """nothing is plugged in: setup shows the console's port, hears nothing, and changes nothing"""
    world.machine.unplug(world.machine.dongles[0])
    world.uart, world.card = world.root.run(FIND).split()
    world.root.run(f"echo {world.card} > /sys/bus/pci/drivers/serial/unbind")
    before = world.root.run("cat /etc/locationd/conf.d/10-receiver.toml")
    transcript = transcribe(world, "setup-nothing", 5 * PATIENCE)
    assert "/dev/ttyS0" in transcript and "Nothing was changed." in transcript, transcript
    assert world.root.run("cat /etc/locationd/conf.d/10-receiver.toml") == before
    world.root.run(f"echo {world.card} > /sys/bus/pci/drivers/serial/bind")


def a_console_holds_the_port(world):
    """a login is waiting at the UART: setup says which program and unit hold it"""
    world.root.run(f"systemctl start serial-getty@{world.uart}.service && "
                   f"until ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q /dev/{world.uart}; do sleep 0.1; done", PATIENCE)
    transcript = transcribe(world, "setup-console", 5 * PATIENCE)
    # The receiver's output has become the name of a user by now: agetty passes it on to login.
    holder = rf"/dev/{world.uart} +in use by (agetty|login) \(process \d+, serial-getty@{world.uart}\.service\)"
    assert re.search(holder, transcript), transcript
    # A login has taken the port from its group; udev gives it back.
    world.root.run(f"systemctl stop serial-getty@{world.uart}.service; udevadm trigger --action=add /dev/{world.uart}; "
                   "udevadm settle", PATIENCE)


def a_receiver_at_a_uart_is_found(world):
    """nobody holds the UART: setup hears the receiver there, and replaces what it has written before"""
    transcript = transcribe(world, "setup-uart", 10 * PATIENCE)
    assert "The receiver has a fix" in transcript, transcript
    assert f"/dev/{world.uart}" in world.root.run("cat /etc/locationd/conf.d/10-receiver.toml")
