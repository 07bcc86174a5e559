"""The package locationd-ntrip: corrections to the dongle, while an app needs them."""

import base64
import json
import time

import hotplug
from deadline import Deadline
from dongle import reference_frame
from image import USERS
from world import APP, PATIENCE, Stream

UNIT = "locationd-ntrip@base.service"
INSTANCE = "service:locationd-ntrip@base"
CONFIGURATION = "/etc/locationd/ntrip/base.toml"
FRAME = reference_frame()

#: The bytes that the caster sends each second: a frame, a command to the receiver, and a damaged frame.
SENT = FRAME + b"$PMTK104*37\r\n" + FRAME.replace(b"\xd3\x02", b"\x00\x02")

PASSWORD = "correct-horse"

#: A caster: keeps the requests and the lines after them, and sends the same to each connection, whatever it asks for.
CASTER = """\
while read -r line && [ "$line" != "$(printf '\\r')" ]; do printf '%s\\n' "$line"; done >>/run/requests
exec 3<&0
cat <&3 >>/run/requests &
printf 'ICY 200 OK\\r\\n'
while cat /run/sent; do sleep 1; done
"""


def the_package_is_installed(world):
    """locationd-ntrip is installed, and its instance is started: without an app it leaves the network alone"""
    root = world.root
    root.run("dpkg -i /var/tmp/packages/locationd-ntrip.deb", 300)
    exposure = root.run(f"systemd-analyze security --no-pager --threshold=15 {UNIT} >/run/exposure && "
                        "tail -n 1 /run/exposure")
    world.report.figure(exposure.strip("→ "))
    serial = world.machine.dongles[0].serial
    root.run(f"cat >{hotplug.CONFIGURATION} <<'END'\n[[receiver]]\nsource = \"usb:{serial}\"\ncorrections = true\nEND\n"
             "systemctl reload locationd.service")
    root.run("umask 077; mkdir -p /etc/credstore && cd /etc/credstore && echo rover >locationd-ntrip.base.user && "
             f"echo {PASSWORD} >locationd-ntrip.base.password")
    root.run(f"cat >{CONFIGURATION} <<'END'\n"
             'caster = "ntrip://127.0.0.1:2101/BASE"\nposition = "none"\n'
             f"END\nsystemctl enable --now {UNIT}", PATIENCE)
    start_caster(world)
    wait_for_status(world, "No app needs corrections")
    assert not root.run("cat /run/requests 2>/dev/null; true")


def an_app_opens_the_stream(world):
    """alice's app needs better than 10 m: the caster gets the password, and only its frames reach the dongle"""
    dongle = world.machine.dongles[0]
    dongle.read()
    stream = world.streams["alice"] = Stream(world.alice, "--desired-accuracy bestForNavigation")
    stream.wait_for("location")
    wait_for_status(world, "Receiving corrections of BASE")
    received, deadline = b"", Deadline(PATIENCE)
    while received.count(FRAME) < 3:
        received += dongle.read(deadline.remaining(f"frames; these bytes have arrived: {received}"))
    assert FRAME.startswith(received.replace(FRAME, b"")), received
    output = world.root.try_run("locationctl doctor", PATIENCE)[1]
    assert UNIT in output and "the password for the caster of base is sent without encryption" in output, output
    requests = world.root.run("cat /run/requests")
    credentials = base64.b64encode(f"rover:{PASSWORD}".encode()).decode()
    assert "GET /BASE HTTP/1.1" in requests and f"Authorization: Basic {credentials}" in requests, requests
    found = world.root.try_run(f"journalctl -b -u {UNIT} -o cat | grep -e {PASSWORD} -e {credentials}")[1]
    assert not found, found


def a_revocation_ends_it(world):
    """alice's grant is revoked: the connection to the caster is closed"""
    world.root.run(f"locationctl revoke {APP} --uid {USERS['alice'][0]}")
    wait_for_status(world, "No app needs corrections")
    # An established connection (01) to port 2101: proc(5), /proc/net/tcp.
    assert not world.root.run("awk '$4 == \"01\" && $3 ~ /:0835$/' /proc/net/tcp")
    world.stop_streams()
    world.grant(APP, USERS["alice"][0])


def a_network_gets_a_cell(world):
    """a caster gets the cell that the instance was granted, is asked no sooner, and gets nothing after a revocation"""
    root = world.root
    user = root.run("id -u locationd-ntrip")
    root.run(f"sed -i 's/\"none\"/\"reduced\"\\ninterval = 10/' {CONFIGURATION} && : >/run/requests && "
             f"systemctl restart {UNIT}", PATIENCE)
    stream = world.streams["alice"] = Stream(world.alice, "--desired-accuracy bestForNavigation")
    stream.wait_for("location")
    wait_for_status(world, "Waiting for the location")
    assert not root.run("cat /run/requests")
    root.run(f"locationctl grant {INSTANCE} --always --reduced --uid {user}")
    root.run("until [ $(grep -c GPGGA /run/requests) -ge 2 ]; do sleep 0.5; done", 3 * PATIENCE)
    sentences = set(root.run("grep GPGGA /run/requests | cut -d, -f3-6").split())
    root.run("locationctl grant service:host-agent --always --reduced --uid 0")
    cell = json.loads(root.run(f"locationctl get --json --timeout {PATIENCE}", 2 * PATIENCE))
    root.run("locationctl reset service:host-agent --uid 0")
    for latitude, _, longitude, _ in (sentence.split(",") for sentence in sentences):
        for text, digits, degrees in [(latitude, 2, cell["latitude"]), (longitude, 3, cell["longitude"])]:
            assert abs(int(text[:digits]) + float(text[digits:]) / 60 - abs(degrees)) < 1e-4, (sentences, cell)
    root.run(f"locationctl revoke {INSTANCE} --uid {user}")
    count = root.run("sleep 2; grep -c GPGGA /run/requests")
    # Longer than two intervals.
    time.sleep(25)
    assert root.run("grep -c GPGGA /run/requests") == count
    world.stop_streams()
    root.run(f"sed -i 's/\"reduced\"/\"none\"/; /^interval/d' {CONFIGURATION} && systemctl restart {UNIT}", PATIENCE)


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
    root.run(f"systemctl disable --now {UNIT}; systemctl stop caster.service; rm -r /etc/credstore", PATIENCE)
    root.run("dpkg --purge locationd-ntrip", 300)
    assert not root.run("ls -d /etc/locationd/ntrip /run/locationd/io.locationd.Corrections 2>/dev/null; true")


def start_caster(world):
    """Starts the caster, which does not outlast a restart of the machine."""
    digits = "".join(f"\\{byte:03o}" for byte in SENT)
    world.root.run(f"cat >/run/caster <<'END'\n{CASTER}END\nprintf '{digits}' >/run/sent\n"
                   "systemctl stop caster.service 2>/dev/null; systemd-run --quiet --unit=caster "
                   "systemd-socket-activate --accept --inetd --listen=127.0.0.1:2101 /bin/sh /run/caster")


def wait_for_status(world, pattern):
    """Waits until systemd has a status of the instance that begins with a match of a pattern for grep."""
    shown = f"systemctl show --property=StatusText --value {UNIT}"
    world.root.run(f"until {shown} | grep -q '^{pattern}'; do sleep 0.2; done", PATIENCE)
