"""Programs by others: systemd's varlinkctl, and a client of gpsd."""

import json

from image import USERS
from world import PATIENCE

BOB = USERS["bob"][0]
SOCKET = "/run/locationd/io.locationd.Location"
VARLINKCTL = "exe:/usr/bin/varlinkctl"


def varlinkctl_reads_the_interface(world):
    """varlinkctl of systemd reads the interface, and gets a location once it is granted; older ones are left out"""
    root = world.root
    if root.try_run("command -v varlinkctl")[0] != 0:
        world.report.figure("this system has no varlinkctl")
        return
    assert "io.locationd.Location" in world.alice.run(f"varlinkctl info {SOCKET}", PATIENCE)
    assert "method Subscribe" in world.alice.run(f"varlinkctl introspect {SOCKET} io.locationd.Location", PATIENCE)
    call = f"varlinkctl --timeout=60 --json=short call {SOCKET} io.locationd.Location.GetLocation "
    status, output = world.alice.try_run(call + "'{}'", PATIENCE)
    assert status != 0 and "NotAuthorized" in output, output
    root.run(f"locationctl grant {VARLINKCTL} --uid {USERS['alice'][0]}")
    location = json.loads(world.alice.run(call + "'{}'", PATIENCE))["location"]
    assert location["receiver"] == world.receiver, location


def gpsd_clients_see_the_release_of_libgps(world):
    """a client of gpsd is told the release of the system's own libgps"""
    root = world.root
    root.run("dpkg -i /var/tmp/packages/locationd-gpsd.deb", 600)
    release = root.run("dpkg-query -W -f '${Version}' 'libgps*' | sed 's/-.*//'")
    banner = json.loads(
        world.alice.run("exec 3<>/dev/tcp/127.0.0.1/2947; read -r -t 60 banner <&3; echo \"$banner\"", PATIENCE * 2))
    assert banner["release"] == banner["rev"] == release, f"{banner}, but libgps is {release}"
    world.report.figure(f"VERSION: {banner['release']}, {banner['proto_major']}.{banner['proto_minor']}")
