"""The package locationd-publish: its service, with Debian's broker on the machine."""

import json

from dongle import COORDINATES
from people import wait_for
from world import PATIENCE

APP = "service:locationd-publish"
UNIT = "locationd-publish.service"
MAIN_PROCESS = f"systemctl show --property=MainPID --value {UNIT}"

CONFIGURATION = """\
broker = "mqtt://127.0.0.1"
format = "json"
device = "machine"
"""


def the_package_is_installed(world):
    """locationd-publish is installed: without a configuration it does not start, and the doctor says so"""
    root = world.root
    root.run("dpkg -i /var/tmp/packages/locationd-publish.deb", 300)
    assert root.try_run(f"systemctl is-active {UNIT}")[1] == "inactive"
    exposure = root.run(f"systemd-analyze security --no-pager --threshold=15 {UNIT} | tail -n 1")
    world.report.figure(exposure.strip("→ "))
    output = root.try_run("locationctl doctor", PATIENCE)[1]
    assert "there is no /etc/locationd/publish.toml" in output, output


def it_waits_for_a_grant(world):
    """its service starts, with a key for its queue, and publishes nothing before it is granted the location"""
    root = world.root
    root.run("systemctl start mosquitto.service; install -d -m 700 /etc/credstore; "
             "umask 077; head -c 32 /dev/urandom >/etc/credstore/locationd-publish.queue-key")
    root.run(f"cat >/etc/locationd/publish.toml <<'END'\n{CONFIGURATION}END\nsystemctl start {UNIT}", PATIENCE)
    user = root.run("id -u locationd-publish")
    assert root.run(f"stat --format=%u /proc/{main_process(world)}") == user
    wait_for(world, "locationctl prompts --json", lambda prompts: any(prompt["app"] == APP for prompt in prompts))
    output = root.try_run("locationctl doctor", PATIENCE)[1]
    assert f"{APP} has no grant for the location" in output, output
    # The broker keeps the last message of some topics. 27: none within that time.
    assert root.try_run("mosquitto_sub -t 'locationd/#' -C 1 -W 10", PATIENCE)[0] == 27


def what_is_granted_arrives(world):
    """granted the location, it publishes each fix; the doctor says where to"""
    start_reader(world)
    grant(world)
    wait_for_report(world)
    wait_for_status(world, lambda status: status.startswith("Connected to mqtt://127.0.0.1"))
    output = world.root.try_run("locationctl doctor", PATIENCE)[1]
    assert f"{UNIT}: Connected to mqtt://127.0.0.1" in output, output
    assert any(entry["app"] == APP for entry in
               wait_for(world, "locationctl indicator --json --uid $(id -u locationd-publish)", bool))


def a_killed_publisher_is_back(world):
    """it is killed: systemd starts it again, and it goes on"""
    before = main_process(world)
    world.root.run(f"systemctl kill --signal=KILL {UNIT}")
    wait_for(world, MAIN_PROCESS, lambda process: process not in (0, before))
    wait_for_status(world, lambda status: status.startswith("Connected"))
    wait_for_report(world)


def a_revocation_empties_the_queue(world):
    """without a broker reports wait, encrypted; a revocation and places --clear delete them"""
    root = world.root
    root.run("systemctl stop mosquitto.service")
    wait_for_status(world, lambda status: status.startswith("No connection") and waiting(status) >= 3)
    found = root.try_run(f"grep -aE '{COORDINATES.pattern}' /var/lib/locationd-publish/*")[1]
    assert not found, found
    output = root.run("locationctl visits --clear", PATIENCE)
    assert "The queue of locationd-publish was cleared too." in output, output
    wait_for_status(world, lambda status: waiting(status) >= 3)
    root.run(f"locationctl revoke {APP} --uid $(id -u locationd-publish)")
    wait_for_status(world, lambda status: status == "Not authorized; 0 reports wait")
    world.grant("service:host-agent", 0, "--always")
    fix = json.loads(root.run("locationctl get --json --maximum-age 0 --timeout 60", PATIENCE + 60))
    root.run("pkill -x mosquitto_sub; systemctl start mosquitto.service")
    start_reader(world)
    grant(world)
    # What had waited would come first.
    report = wait_for_report(world)
    assert report["timestamp"] >= fix["timestamp"], f"{report} is older than {fix}"


def the_package_is_removed(world):
    """locationd-publish is purged, with the queue and the configuration"""
    root = world.root
    root.run("dpkg --purge locationd-publish", 300)
    # Not `systemctl disable`: it leaves links for another init behind.
    root.run("pkill -x mosquitto_sub; systemctl stop mosquitto.service; rm -f /var/lib/mosquitto/mosquitto.db; "
             "rm -r /etc/credstore /etc/systemd/system/multi-user.target.wants/mosquitto.service")
    assert not root.run("ls -d /var/lib/locationd-publish /etc/locationd/publish.toml 2>/dev/null; true")
    world.streams.pop("broker")


def grant(world):
    """Grants the service the location."""
    world.root.run(f"locationctl grant {APP} --always --uid $(id -u locationd-publish)")


def main_process(world):
    """Returns the process id of the publisher."""
    return json.loads(world.root.run(MAIN_PROCESS))


def start_reader(world):
    """Starts a program that prints what arrives at the broker."""
    world.streams["broker"] = world.root.start("exec mosquitto_sub -v -t 'locationd/#'")


def wait_for_report(world):
    """Returns the next report that the reader has got."""
    line = world.streams["broker"].wait_for_line(
        "a report", lambda line: line.startswith("locationd/machine {") and COORDINATES.search(line), PATIENCE)
    return json.loads(line.partition(" ")[2])


def wait_for_status(world, accepts):
    """Waits until systemd has an acceptable status of the publisher."""
    wait_for(world, f"systemctl show --property=StatusText --value {UNIT} | sed 's/.*/\"&\"/'", accepts)


def waiting(status):
    """Returns the number of reports that wait, in a status."""
    return int(status.rpartition("; ")[2].split()[0]) if "; " in status else 0
