"""The packages for clients of gpsd and GeoClue: a second user's unchanged clients, over the real bus and port."""

import json

from dongle import COORDINATES
from image import USERS
from people import wait_for
from world import PATIENCE

BOB = USERS["bob"][0]

GPSPIPE = "exe:/usr/bin/gpspipe"
WHERE_AM_I = "exe:/usr/libexec/geoclue-2.0/demos/where-am-i"
ASK_GEOCLUE = "exec /usr/libexec/geoclue-2.0/demos/where-am-i -t 600 -a 8"

SOCKETS = ["locationd.socket", "locationd-manage.socket", "locationd-peers.socket", "locationd-gpsd.socket",
           "locationd-gpsd-ipv6.socket"]

#: Stands for gpsd: its sockets as Debian's gpsd.socket has them.
GPSD_SOCKET = """\
[Socket]
ListenStream=[::1]:2947
ListenStream=127.0.0.1:2947
BindIPv6Only=ipv6-only

[Install]
WantedBy=sockets.target
"""
GPSD_SERVICE = "[Service]\nExecStart=/bin/sleep infinity\n"

#: A property that GeoClue has, and locationd in its place. Reading it starts either.
IN_USE = "busctl get-property org.freedesktop.GeoClue2 /org/freedesktop/GeoClue2/Manager " \
    "org.freedesktop.GeoClue2.Manager InUse"


def the_packages_are_installed(world):
    """locationd-gpsd and locationd-geoclue take the places of gpsd's sockets and of Debian's GeoClue"""
    root = world.root
    root.run(f"cat > /etc/systemd/system/gpsd.socket <<'END'\n{GPSD_SOCKET}END\n"
             f"cat > /etc/systemd/system/gpsd.service <<'END'\n{GPSD_SERVICE}END\n"
             "systemctl daemon-reload && systemctl --quiet enable --now gpsd.socket")
    root.run(IN_USE)
    assert owner_of_the_name(world) == "geoclue"
    root.run("dpkg -i /var/tmp/packages/locationd-gpsd.deb /var/tmp/packages/locationd-geoclue.deb", 300)
    for package, expected in {
            "locationd-gpsd": "installed", "locationd-geoclue": "installed", "geoclue-2.0": "config-files"}.items():
        assert root.run(f"dpkg-query -W -f '${{db:Status-Status}}' {package}") == expected, package
    sockets_listen(world)
    assert owner_of_the_name(world) == "locationd"
    root.run("systemd-analyze security --no-pager --threshold=15 locationd.service")


def gpsd_does_not_get_the_port(world):
    """gpsd's sockets are not opened beside, whoever starts them"""
    world.root.run("systemctl start gpsd.socket")
    assert world.root.try_run("systemctl is-active gpsd.socket")[1] == "inactive"
    sockets_listen(world)


def a_gpsd_client_is_refused_granted_and_revoked(world):
    """bob's gpspipe on port 2947: undecided, denied, granted, revoked; alice's has no part in it"""
    root = world.root
    root.run(f"loginctl activate {world.session_of('bob')}")
    client = world.bob.start("exec gpspipe -w")
    wait_for_mode(client, 1)
    assert '"class":"VERSION"' in client.output and '"class":"DEVICES"' in client.output, client.output
    deny(world, GPSPIPE)
    client.wait_for_line("the error", lambda line: f"locationctl grant {GPSPIPE}" in line, PATIENCE)
    assert not COORDINATES.search(client.output), client.output
    world.grant(GPSPIPE, BOB)
    assert COORDINATES.search(wait_for_mode(client, 3))
    refused = world.alice.run("timeout 60 gpspipe -w -n 4", PATIENCE + 60)
    assert '"mode":1' in refused and not COORDINATES.search(refused), refused
    root.run(f"locationctl revoke {GPSPIPE} --uid {BOB}")
    wait_for_mode(client, 1)
    before = len(client.lines)
    a_fix_is_published(world)
    root.run("pkill -x gpspipe")
    client.wait_for_end(PATIENCE)
    assert not COORDINATES.search("\n".join(client.lines[before:])), client.end_of_output


def every_socket_for_gpsd_clients_answers(world):
    """the Unix socket, and port 2947 of both addresses"""
    for address in ["127.0.0.1", "::1"]:
        # The shell reads by itself: a socket that several programs hold is refused.
        banner = world.bob.run(f'exec 3<>/dev/tcp/{address}/2947; read -r -t 60 banner <&3; echo "$banner"')
        assert json.loads(banner)["class"] == "VERSION", banner
    assert world.root.run("stat --format='%a %U %F' /run/locationd/gpsd") == "666 root socket"


def the_bus_starts_the_daemon(world):
    """the daemon is started by the first caller of GeoClue's name"""
    root = world.root
    root.run("systemctl stop locationd.service")
    assert root.try_run("systemctl is-active locationd.service")[1] == "inactive"
    assert world.bob.run(IN_USE).startswith("b ")
    assert root.run("systemctl is-active locationd.service") == "active"


def a_geoclue_client_is_refused_granted_and_revoked(world):
    """bob's where-am-i over the system bus: undecided, denied, granted, revoked"""
    root = world.root
    # It waits for its first location, whatever happens before.
    granted = world.bob.start(ASK_GEOCLUE)
    deny(world, WHERE_AM_I)
    denied = world.bob.start(ASK_GEOCLUE)
    denied.wait_for_end(PATIENCE)
    assert "AccessDenied" in denied.output, denied.output
    assert not COORDINATES.search(denied.output + granted.output), granted.output
    world.grant(WHERE_AM_I, BOB)
    granted.wait_for_line("a latitude", lambda line: "Latitude" in line and COORDINATES.search(line), PATIENCE)
    assert "b true" == world.alice.run(IN_USE)
    root.run(f"locationctl revoke {WHERE_AM_I} --uid {BOB}")
    granted.wait_for_line("the end of it", lambda line: "Geolocation disabled" in line, PATIENCE)
    granted.wait_for_end(PATIENCE)
    root.run(f"loginctl activate {world.session_of('alice')}")


def the_doctor_finds_nothing_wrong(world):
    """locationctl doctor finds no fault with both packages, and then a socket that does not listen"""
    root = world.root
    status, output = root.try_run("locationctl doctor", PATIENCE)
    assert status == 0 and "has GeoClue's name" in output and "serves clients of gpsd" in output, output
    root.run("systemctl stop locationd-gpsd.socket")
    status, output = root.try_run("locationctl doctor", PATIENCE)
    assert status == 1 and "locationd-gpsd.socket is not listening" in output, output
    root.run("systemctl restart locationd.service")
    sockets_listen(world)


def the_packages_are_installed_again(world):
    """all packages are installed over themselves: every socket listens again"""
    world.root.run("cd /var/tmp/packages && dpkg -i locationd.deb locationd-gpsd.deb locationd-geoclue.deb", 300)
    sockets_listen(world)
    assert owner_of_the_name(world) == "locationd"
    a_fix_is_published(world)


def a_reboot_keeps_the_sockets(world):
    """... and the sockets: gpsd's are enabled too, and give way"""
    sockets_listen(world)
    assert world.root.try_run("systemctl is-active gpsd.socket")[1] == "inactive"


def the_packages_are_removed(world):
    """both packages are removed: Debian's GeoClue is back, and gpsd's sockets"""
    root = world.root
    root.run("dpkg --purge locationd-gpsd locationd-geoclue", 300)
    assert root.try_run("busctl status org.freedesktop.GeoClue2")[0] != 0, "the name is still there"
    assert root.run("systemctl is-active gpsd.socket") == "active"
    assert not root.run("ls -d /run/locationd/gpsd 2>/dev/null; true")
    a_fix_is_published(world)
    root.run("dpkg -i /var/tmp/packages/geoclue-2.0.deb", 300)
    root.run(IN_USE)
    assert owner_of_the_name(world) == "geoclue"
    root.run("systemctl --quiet disable --now gpsd.socket; systemctl stop gpsd.service geoclue.service; "
             "rm /etc/systemd/system/gpsd.*; systemctl daemon-reload")


def sockets_listen(world):
    """Checks that the sockets of all packages listen, and gpsd's do not."""
    states = world.root.try_run(f"systemctl is-active {' '.join(SOCKETS)}")[1]
    assert states.split() == ["active"] * len(SOCKETS), dict(zip(SOCKETS, states.split()))
    world.root.run("test -S /run/locationd/io.locationd.Location -a -S /run/locationd/gpsd")


def owner_of_the_name(world):
    """Returns the name of the user who has GeoClue's name on the system bus."""
    uid = world.root.run("busctl --no-pager status org.freedesktop.GeoClue2 | sed -n 's/^EUID=//p'")
    return world.root.run(f"id --name --user {uid}")


def wait_for_mode(client, mode):
    """Returns the client's next TPV, once it has this mode."""
    return client.wait_for_line(
        f"mode {mode}", lambda line: '"class":"TPV"' in line and f'"mode":{mode}' in line, PATIENCE)


def deny(world, app):
    """Waits for the prompt about bob's app, and denies it the location."""
    def is_meant(prompt):
        return (prompt["app"], prompt["uid"]) == (app, BOB)

    prompts = wait_for(world, "locationctl prompts --json", lambda prompts: any(map(is_meant, prompts)))
    world.root.run(f"locationctl answer {next(filter(is_meant, prompts))['id']} deny")


def a_fix_is_published(world):
    """Waits until the daemon has published another fix. The administrator's commands run as a service."""
    world.grant("service:host-agent", 0, "--always")
    world.root.run("locationctl get --json --maximum-age 0 --timeout 60", PATIENCE + 60)
