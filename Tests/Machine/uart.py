"""A receiver at a UART, and the machine's clock: chrony gets the time without a pulse.

What is copied for systemd stays: without the line of its socket, chronyd starts all the same.
"""

from deadline import Deadline
from image import USERS
from world import APP, PATIENCE

CONFIGURATION = "/etc/locationd/conf.d/uart.toml"
TEXT = """\
[[receiver]]
source = "serial:/dev/ttyS{number}"
name = "soldered"

[time]
chrony-socket = "/run/chrony.locationd.sock"
"""
CHRONY = "refclock SOCK /run/chrony.locationd.sock refid GNSS poll 2 filter 4 precision 0.1 delay 1.0 noselect"

#: How long chrony may take to have samples, in seconds. It takes one of four epochs each 4 s; a slow machine is late.
SAMPLES = 240


def chrony_gets_its_time(world):
    """a receiver at a UART that nobody has named in udev is read, and chrony gets its time, without a pulse"""
    root = world.root
    # The UART is on a PCI card of qemu's; newer kernels have two more devices between it and its port.
    number = root.run("for port in /sys/class/tty/ttyS*; do device=$(realpath $port/device); grep -qs 0x1b36 "
                      "$device/vendor $device/../vendor $device/../../vendor && echo ${port##*ttyS} && break; done")
    root.run(f"cat > {CONFIGURATION} <<'END'\n{TEXT.format(number=number)}END\n"
             f"echo '{CHRONY}' > /etc/chrony/conf.d/locationd.conf\n"
             "install -D -m 0644 /usr/share/doc/locationd/examples/chrony-socket.conf "
             "/etc/systemd/system/chrony.service.d/locationd.conf\n"
             "systemctl daemon-reload && systemctl restart chrony.service locationd.service", PATIENCE * 2)
    world.machine.unplug(world.machine.dongles[0])
    world.grant(APP, USERS["alice"][0])
    deadline = Deadline(PATIENCE * 2)
    while world.location(world.alice, "--maximum-age 0")["receiver"] != "soldered":
        deadline.remaining("a location of the UART")
    deadline = Deadline(SAMPLES)
    while True:
        line = next((line for line in root.run("chronyc -n -c sources").splitlines() if ",GNSS," in line), "")
        # Mode, state, name, stratum, poll, and reach: a bit for each of the last polls with a sample, in octal.
        if line and int(line.split(",")[5], 8) > 0:
            break
        deadline.remaining(f"samples in chrony: {line}")
    world.report.figure(f"chronyc sources: {line}")
    root.run(f"rm {CONFIGURATION} /etc/chrony/conf.d/locationd.conf && "
             "systemctl restart chrony.service locationd.service", PATIENCE * 2)
    world.machine.plug(world.machine.dongles[0])
    deadline = Deadline(PATIENCE)
    while world.location(world.alice, "--maximum-age 0")["receiver"] != world.receiver:
        deadline.remaining("the dongle")
