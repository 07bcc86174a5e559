"""The package locationd-ntrip: corrections to the dongle, while an app needs them."""

import hotplug
from deadline import Deadline
from dongle import reference_frame
from image import USERS
from world import APP, PATIENCE, Stream

UNIT = "locationd-ntrip@base.service"
FRAME = reference_frame()

#: A caster: each connection gets a frame a second, whatever it asks for.
CASTER = """\
printf 'ICY 200 OK\\r\\n'
while cat /run/frame; do sleep 1; done
"""


def the_package_is_installed(world):
    """locationd-ntrip is installed, and its instance is started: without an app it leaves the network alone"""
    root = world.root
    root.run("dpkg -i /var/tmp/packages/locationd-ntrip.deb", 300)
    exposure = root.run(f"systemd-analyze security --no-pager --threshold=15 {UNIT} | tail -n 1")
    world.report.figure(exposure.strip("→ "))
    serial = world.machine.dongles[0].serial
    root.run(f"cat >{hotplug.CONFIGURATION} <<'END'\n[[receiver]]\nsource = \"usb:{serial}\"\ncorrections = true\nEND\n"
             "systemctl reload locationd.service")
    root.run("cat >/etc/locationd/ntrip/base.toml <<'END'\n"
             'caster = "ntrip://127.0.0.1:2101/BASE"\nposition = "none"\n'
             f"END\nsystemctl enable --now {UNIT}", PATIENCE)
    start_caster(world)
    wait_for_status(world, "No app needs corrections")


def an_app_opens_the_stream(world):
    """alice's app needs better than 10 m: the caster's frames reach the dongle, and nothing else does"""
    dongle = world.machine.dongles[0]
    dongle.read()
    stream = world.streams["alice"] = Stream(world.alice, "--desired-accuracy bestForNavigation")
    stream.wait_for("location")
    wait_for_status(world, "Receiving corrections of BASE")
    received, deadline = b"", Deadline(PATIENCE)
    while received.count(FRAME) < 3:
        received += dongle.read(deadline.remaining(f"frames; these bytes have arrived: {received}"))
    assert FRAME.startswith(received.replace(FRAME, b"")), received
    assert UNIT in world.root.try_run("locationctl doctor", PATIENCE)[1]


def a_revocation_ends_it(world):
    """alice's grant is revoked: the connection to the caster is closed"""
    world.root.run(f"locationctl revoke {APP} --uid {USERS['alice'][0]}")
    wait_for_status(world, "No app needs corrections")
    assert not world.root.run("ss --no-header --tcp state established dport = :2101")
    world.stop_streams()
    world.grant(APP, USERS["alice"][0])


def a_reboot_keeps_it(world):
    """after the restart the instance runs, and an app opens the stream"""
    start_caster(world)
    an_app_opens_the_stream(world)
    world.stop_streams()
    wait_for_status(world, "No app needs corrections")


def the_package_is_removed(world):
    """locationd-ntrip is purged, with what was configured"""
    root = world.root
    hotplug.configure(world, world.machine.dongles[0].serial)
    root.run(f"systemctl disable --now {UNIT}; systemctl stop caster.service", PATIENCE)
    root.run("dpkg --purge locationd-ntrip", 300)
    assert not root.run("ls -d /etc/locationd/ntrip /run/locationd/io.locationd.Corrections 2>/dev/null; true")


def start_caster(world):
    """Starts the caster, which does not outlast a restart of the machine."""
    digits = "".join(f"\\{byte:03o}" for byte in FRAME)
    world.root.run(f"cat >/run/caster <<'END'\n{CASTER}END\nprintf '{digits}' >/run/frame\n"
                   "systemd-run --unit=caster systemd-socket-activate --accept --inetd --listen=127.0.0.1:2101"
                   " /bin/sh /run/caster")


def wait_for_status(world, text):
    """Waits until systemd has a status of the instance that begins with a text."""
    shown = f"systemctl show --property=StatusText --value {UNIT}"
    world.root.run(f"until {shown} | grep -q '^{text}'; do sleep 0.2; done", PATIENCE)
