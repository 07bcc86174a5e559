"""The package locationd-nmea: sentences from the network to the daemon, and locations at a serial port that is none."""

import time
from datetime import datetime, timezone

from dongle import COORDINATES, epoch
from people import wait_for
from world import PATIENCE, Stream

APP = "service:locationd-nmea@chart"
OUTPUT = "locationd-nmea@chart.service"
PORT = "/run/locationd-nmea/chart/tty"
INPUT = "locationd-nmea-receive@phone"
RECEIVER = "/etc/locationd/conf.d/phone.toml"


def the_package_is_installed(world):
    """locationd-nmea is installed, with its users and its units"""
    root = world.root
    root.run("dpkg -i /var/tmp/packages/locationd-nmea.deb", 300)
    for unit in (OUTPUT, "locationd-nmea-network@chart.service", f"{INPUT}.service"):
        exposure = root.run(f"systemd-analyze security --no-pager --threshold=15 {unit} | tail -n 1")
        world.report.figure(exposure.strip("→ "))
    assert root.run("id -u locationd-nmea") != root.run("id -u locationd-nmea-receive")


def a_program_reads_a_serial_port(world):
    """alice's program reads the location at a port of its own, which bob cannot open; nobody reads before the grant"""
    root = world.root
    configuration = f'to = "pty:{PORT}"\nowner = "alice"\n'
    root.run(f"cat >/etc/locationd/nmea/chart.toml <<'END'\n{configuration}END\n"
             f"systemctl enable --now {OUTPUT}", PATIENCE)
    wait_for(world, "locationctl prompts --json", lambda prompts: any(prompt["app"] == APP for prompt in prompts))
    assert root.try_run(f"ls {PORT}")[0] != 0, "there is a port without a grant"
    assert f"sudo locationctl grant --always --uid $(id -u locationd-nmea) {APP}" in doctor(world)
    grant(world)
    assert root.run(f"stat --dereference --format='%a %U' {PORT}") == "600 alice"
    status, output = world.bob.try_run(f"head -c 1 {PORT}")
    assert status != 0 and "Permission denied" in output, output
    # Without a reader, no app asks for the location.
    wait_for_status(world, "No reader of")
    world.streams["port"] = world.alice.start(f"exec cat {PORT}")
    wait_for_sentence(world)
    wait_for_status(world, "A program is reading")
    assert f"{OUTPUT}: A program is reading {PORT}" in doctor(world)


def a_revocation_takes_the_port_away(world):
    """the grant is revoked: the program reads the end, and the port is gone until the next grant"""
    world.root.run(f"locationctl revoke {APP} --uid $(id -u locationd-nmea)")
    world.streams.pop("port").wait_for_end(PATIENCE)
    wait_for_port(world, False)
    grant(world)
    world.streams["port"] = world.alice.start(f"exec cat {PORT}")
    wait_for_sentence(world)
    world.alice.run(f"pkill -f '^cat {PORT}'")
    world.streams.pop("port")
    wait_for_status(world, "No reader of")


def a_sender_is_received(world):
    """a phone in the network is a receiver, and its program runs only while somebody needs the location"""
    root = world.root
    root.run("cat >/etc/locationd/nmea/phone.toml <<'END'\n"
             'from = "udp://127.0.0.1:10110"\nallow = ["127.0.0.1"]\n'
             f"END\nsystemctl enable --now {INPUT}.socket", PATIENCE)
    root.run(f"cat >{RECEIVER} <<'END'\n"
             '[[receiver]]\nsource = "socket:/run/locationd-nmea/phone"\nname = "phone"\n'
             "END\nsystemctl reload locationd.service", PATIENCE)
    wait_for_receiver(world)
    wait_for_rest(world)


def a_reboot_keeps_both(world):
    """after the restart the port is there, granted, and the phone is received"""
    wait_for_port(world, True)
    reader = world.alice.start(f"exec cat {PORT}")
    world.streams["port"] = reader
    wait_for_sentence(world)
    world.alice.run(f"pkill -f '^cat {PORT}'")
    world.streams.pop("port")
    wait_for_receiver(world)


def the_package_is_removed(world):
    """locationd-nmea is purged, with what was configured"""
    root = world.root
    root.run(f"rm {RECEIVER}; systemctl reload locationd.service", PATIENCE)
    root.run(f"systemctl disable --now {OUTPUT} {INPUT}.socket", PATIENCE)
    root.run("dpkg --purge locationd-nmea", 300)
    assert not root.run("ls -d /etc/locationd/nmea /run/locationd-nmea 2>/dev/null; true")


def grant(world):
    """Grants the output the location, and waits for its port."""
    world.root.run(f"locationctl grant {APP} --always --uid $(id -u locationd-nmea)")
    wait_for_port(world, True)


def doctor(world):
    """Returns what the doctor finds."""
    return world.root.try_run("locationctl doctor", PATIENCE)[1]


def wait_for_port(world, is_there):
    """Waits until the port is there, or is not."""
    test = f"[ -c {PORT} ]" if is_there else f"[ ! -L {PORT} ]"
    world.root.run(f"until {test}; do sleep 0.1; done", PATIENCE)


def wait_for_sentence(world):
    """Waits until the program at the port has read a sentence with a place."""
    world.streams["port"].wait_for_line(
        "a sentence", lambda line: line.startswith("$GPRMC,") and COORDINATES.search(line), PATIENCE)


def wait_for_status(world, text):
    """Waits until systemd has a status of the output that begins with a text."""
    shown = f"systemctl show --property=StatusText --value {OUTPUT}"
    world.root.run(f"until {shown} | grep -q '^{text}'; do sleep 0.2; done", PATIENCE)


def wait_for_receiver(world):
    """Sends epochs from now on, and waits until the daemon has a fix of the phone while alice's app asks for one."""
    lines = []
    now = int(time.time())
    for second in range(10 * PATIENCE):
        moment = datetime.fromtimestamp(now + second, timezone.utc)
        lines += [line.decode().strip() for line in epoch(moment, second)[:2]]
    text = "\n".join(lines)
    world.root.run(f"cat >/run/phone.nmea <<'END'\n{text}\nEND", PATIENCE)
    world.root.start("while [ -e /run/phone.nmea ] && read -r one && read -r two; do"
                     " printf '%s\\r\\n%s\\r\\n' \"$one\" \"$two\" >/dev/udp/127.0.0.1/10110; sleep 1;"
                     " done </run/phone.nmea")
    stream = Stream(world.alice)
    stream.wait_for("location")
    wait_for(world, "locationctl receivers --json", lambda receivers: any(
        receiver["name"] == "phone" and receiver["state"] == "running" for receiver in receivers))
    assert world.root.run(f"systemctl is-active {INPUT}.service") == "active"
    world.alice.run("pkill -x locationctl")
    world.root.run("rm /run/phone.nmea")


def wait_for_rest(world):
    """Waits until nothing of the network is open, because nobody asks."""
    world.root.run(f"until ! systemctl is-active --quiet {INPUT}.service; do sleep 0.2; done", PATIENCE)
    assert world.root.run(f"systemctl is-active {INPUT}.socket") == "active"
