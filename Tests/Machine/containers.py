"""Containers, with the system's podman: the units of the guide for app developers, and containers without a unit."""

import json
import sys
from pathlib import Path

from dongle import COORDINATES
from image import USERS
from people import wait_for
from world import PATIENCE

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "Tests/Documents"))

from page import Page  # noqa: E402

ALICE = USERS["alice"][0]
DOCUMENT = "docs/app-developers.md"

#: The end of a refusal in the log. It names the section that has the units.
ADVICE = 'run a container as a systemd unit: see "In a container" in app-developers.md'

#: The reasons of refusals: the program is the image's, or the machine's own.
FROM_IMAGE = "it runs in a container or on mounts of its own"
FROM_MACHINE = "neither a Flatpak nor a snap"

SOCKET = "/run/locationd/io.locationd.Location"

#: The paths of the units in the document.
SYSTEM_UNIT = "/etc/containers/systemd/tracker.container"
USER_UNIT = "~/.config/containers/systemd/app-tracker.container"

#: The image's root: locationctl and its libraries, each at the path where the loader looks for it.
ROOT_FILES = "/usr/bin/locationctl $(ldd /usr/bin/locationctl | grep -o '/[^ ]*')"

#: Prints what tells a socket that was made again or changed from the one before: its last change, %Z, is also that of
#: its label.
STATUS = f"stat --format='%i %a %u %g %Z' {SOCKET}"


def unit_file(path):
    """Returns the unit file that the document shows after it names `path`."""
    page = Page(PROJECT, DOCUMENT)
    lines = (PROJECT / DOCUMENT).read_text(encoding="utf-8").split("\n")
    mention = next(number for number, line in enumerate(lines, 1) if path in line)
    return "\n".join(next(block for block in page.blocks if block.line > mention).text) + "\n"


def image_of(path):
    """Returns the image that a unit file of the document names."""
    return next(line.removeprefix("Image=") for line in unit_file(path).split("\n") if line.startswith("Image="))


def an_image_is_made(world):
    """locationctl and its libraries become an image, without a registry, for the system and for alice"""
    root = world.root
    world.socket_before = root.run(STATUS)
    root.run(f"tar --create --dereference --file=/var/tmp/tracker.tar {ROOT_FILES}", PATIENCE)
    for guest, path in [(root, SYSTEM_UNIT), (world.alice, USER_UNIT)]:
        guest.run("podman import --change 'CMD [\"/usr/bin/locationctl\", \"watch\", \"--json\"]' "
                  f"/var/tmp/tracker.tar {image_of(path)}", 3 * PATIENCE)
    world.report.figure(root.run("podman --version"))


def one_that_is_run_by_hand_is_refused(world):
    """podman run is refused to a program at the path of a granted one, and to that one itself; the log has advice"""
    image = image_of(USER_UNIT)
    # The programs of both have a grant outside of the container.
    world.grant("service:host-agent", 0, "--always")
    world.location(world.alice)
    for guest, options, reason in [
            (world.alice, "", FROM_IMAGE), (world.alice, "--volume=/usr:/usr:ro", FROM_MACHINE),
            (world.root, "", FROM_IMAGE)]:
        output = run(world, guest, f"--volume=/run/locationd:/run/locationd {options} {image}", 1)
        assert "cannot identify this program" in output and "journalctl -u locationd" in output, output
        line = refused_for(world, guest.run("id -u"), reason)
        assert line.endswith(ADVICE), line
    assert json.loads(world.root.run("locationctl prompts --json")) == []


def one_without_the_socket_sees_nothing(world):
    """a container that is not given the socket does not reach the daemon"""
    for guest in [world.alice, world.root]:
        output = run(world, guest, image_of(USER_UNIT), 3)
        assert "not reachable" in output, output


def a_unit_of_the_system_is_a_service(world):
    """the system's unit out of the document is service:tracker: it waits, gets the location, and is revoked"""
    goes_through(world, world.root, SYSTEM_UNIT, "systemctl", "service:tracker", 0, "--always")


def a_unit_of_a_user_is_an_app(world):
    """alice's unit out of the document is app:tracker: it waits, gets the location while in use, and is revoked"""
    # podman lets users' containers wait until the network is there, and on this machine nothing else asks for that.
    world.root.run("systemctl start network-online.target", PATIENCE)
    goes_through(world, world.alice, USER_UNIT, "systemctl --user", "app:tracker", ALICE, "--when-in-use")


def one_of_a_user_manages_nothing(world):
    """a container of alice's, in an app's unit, is refused on the management socket"""
    folders = " ".join(f"--volume={folder}:{folder}:ro" for folder in ["/run/locationd", "/run/locationd-manage"])
    status, output = world.alice.try_run(
        "systemd-run --user --quiet --wait --pipe --unit=app-manager --property=Delegate=yes podman run --rm "
        f"--cgroups=split --userns=keep-id --network=none {folders} {image_of(USER_UNIT)} /usr/bin/locationctl apps",
        2 * PATIENCE)
    assert status == 1 and "app:tracker" not in output, f"exit status {status}:\n{output}"
    refused_for(world, ALICE, "to the management socket: it is in a sandbox or a container")


def the_socket_is_as_it_was(world):
    """no container has changed the public socket: it has its owner, its mode and its label, and was not touched"""
    status = world.root.run(STATUS)
    assert status == world.socket_before, f"{status}, before: {world.socket_before}"


def run(world, guest, arguments, expected):
    """Runs locationctl in a container by hand, and checks its exit status. Returns its output, which has no place."""
    status, output = guest.try_run(
        f"podman run --rm --network=none {arguments} /usr/bin/locationctl get --timeout 20", 2 * PATIENCE)
    assert status == expected, f"exit status {status}, not {expected}:\n{output}"
    assert not COORDINATES.search(output), output
    return output


def refused_for(world, uid, reason):
    """Waits for the line in the log that refuses a connection of the user for this reason. Returns it."""
    log = f"journalctl -b UID={uid} -o cat | grep -F -m 1 '{reason}'"
    return world.root.run(f"until {log}; do sleep 0.1; done", PATIENCE)


def goes_through(world, guest, path, control, app, uid, level):
    """Starts the container of a unit in the document; its app is prompted about, granted the location and revoked."""
    unit = Path(path).stem
    guest.run(f"mkdir -p {Path(path).parent} && cat >{path} <<'END'\n{unit_file(path)}END\n"
              f"{control} daemon-reload && {control} start {unit}.service", 3 * PATIENCE)
    wait_for(world, "locationctl prompts --json", lambda prompts: any(
        (prompt["app"], prompt["uid"]) == (app, uid) for prompt in prompts))
    log = f"podman logs --follow systemd-{unit}"
    assert not COORDINATES.search(guest.run(f"timeout 3 {log}; true"))
    watching = guest.start(f"exec {log}")
    world.grant(app, uid, level)
    watching.wait_for_line("a place", COORDINATES.search, PATIENCE)
    world.root.run(f"locationctl revoke {app} --uid {uid}")
    guest.run(f"while {control} is-active --quiet {unit}.service; do sleep 0.1; done", PATIENCE)
    assert guest.run(f"{control} show --property=ExecMainStatus --value {unit}.service") == "4"
    guest.run(f"{control} reset-failed {unit}.service")
