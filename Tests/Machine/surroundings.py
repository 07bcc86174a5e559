"""The networks around the machine, which keep its receiver closed while they are the same: emulated radios, access
points by hostapd, and the real NetworkManager; then wpa_supplicant alone, whose scans the kernel reports.

A radio hears those of its own group (mac80211_hwsim in the kernel's documentation). So another group is another place.
"""

import time

from beacons import wait_for_doctor
from deadline import Deadline
from dongle import SPEED
from image import USERS
from world import APP, PATIENCE

CONFIGURATION = "/etc/locationd/conf.d/surroundings.toml"
FOLDER = "/run/surroundings"

#: NetworkManager has the first radio. It would change that one's address before a scan, each 5 minutes.
NETWORK_MANAGER = "/etc/NetworkManager/conf.d/radios.conf"
NETWORK_MANAGER_TEXT = """\
[keyfile]
unmanaged-devices=interface-name:wlan*,except:interface-name:wlan0

[device]
wifi.scan-rand-mac-address=no
"""

#: The networks of two places, by the names that begin theirs: the group and the radios.
PLACES = {"Attic": (2, range(1, 5)), "Street": (4, range(5, 9))}

#: An access point with the address of a real maker: those of the emulated radios say that they are made up. Its beacons
#: are so close together that each scan hears one, since a busy host answers too late.
ACCESS_POINT = """\
interface=wlan{radio}
bssid=3c:a6:2f:{radio:02x}:10:00
ssid={name}-{radio}
hw_mode=g
channel=1
beacon_int=50
"""

#: wpa_supplicant looks for a network that is not there, and so scans every few seconds.
SCANS = """\
network={
    ssid="Nowhere"
    key_mgmt=NONE
}
"""

#: Matches what names a network, also with grep -E.
NAMES = "Attic|Street-|3c:?a6:?2f"

#: The maximum time until the machine is still, in seconds: 300 s, and NetworkManager's next scan.
SETTLING = 420


def nobody_knows_the_networks(world):
    """an app has significant changes, without NetworkManager and then without Wi-Fi: the doctor says what is missing"""
    world.stop_streams()
    world.machine.dongles[0].is_parked = True
    world.root.run(f"echo 'log-level = \"trace\"' > {CONFIGURATION} && systemctl restart locationd.service", PATIENCE)
    world.grant(APP, USERS["alice"][0])
    changes = world.streams["changes"] = world.alice.start("exec locationctl watch --json --significant-changes")
    wait_for_change(changes, PATIENCE)
    wait_for_doctor(world, "as if the machine always moved: NetworkManager is not running")
    world.root.run(f"cat > {NETWORK_MANAGER} <<'END'\n{NETWORK_MANAGER_TEXT}END\n"
                   "systemctl start wpa_supplicant.service NetworkManager.service", PATIENCE)
    wait_for_doctor(world, "as if the machine always moved: the machine has neither Wi-Fi nor a wired connection")


def the_receiver_is_closed_while_they_are_the_same(world):
    """four access points stay the same for some minutes: the receiver is closed, also while nobody sees it drive"""
    root = world.root
    radios = [(name, radio) for name, (_, radios) in PLACES.items() for radio in radios]
    files = "".join(f"cat > {FOLDER}/{radio}.conf <<'END'\n{ACCESS_POINT.format(name=name, radio=radio)}END\n"
                    for name, radio in radios)
    groups = "\n".join(in_group(name, radio) for name, radio in [("Attic", 0), *radios])
    root.run(f"modprobe mac80211_hwsim radios={1 + len(radios)} && mkdir {FOLDER}\n{groups}\n{files}"
             f"systemd-run --quiet --unit=access-points hostapd {FOLDER}/*.conf", PATIENCE)
    root.run("until [ $(nmcli --terse --fields SSID device wifi list --rescan no | grep -c Attic) = 4 ]; do sleep 1; "
             "done", 3 * PATIENCE)
    began = time.monotonic()
    networks = wait_for_receiver(world, lambda receiver: "stillness" in receiver, SETTLING)["stillness"]["networks"]
    world.report.measured("the same networks to still", time.monotonic() - began)
    assert 3 <= networks <= 4, networks
    text = f"still, by {networks} networks: off for "
    output = root.run("locationctl receivers", PATIENCE)
    assert text in output and "next check in" in output, output
    output = root.try_run("locationctl doctor", PATIENCE)[1]
    assert f"receivers are closed, because the machine is {text}" in output, output
    fixes = receiver_of(world)["fixes"]
    drive(world)
    receiver = receiver_of(world)
    assert receiver["fixes"] == fixes and "stillness" in receiver, receiver


def others_open_it(world):
    """other access points are heard: the receiver is opened, and its fix is a significant change"""
    began, fixes = time.monotonic(), receiver_of(world)["fixes"]
    world.root.run(in_group("Street", 0))

    def has_fix(receiver):
        world.root.try_run("nmcli device wifi rescan ifname wlan0; sleep 3", PATIENCE)
        return "stillness" not in receiver and receiver["fixes"] > fixes

    wait_for_receiver(world, has_fix, 3 * PATIENCE)
    world.report.measured("other networks to the receiver's first fix, scans included", time.monotonic() - began)
    # There is one in 5 minutes at most.
    wait_for_change(world.streams["changes"], 300 + 2 * PATIENCE)
    world.report.measured("other networks to the significant change", time.monotonic() - began)


def they_are_named_nowhere(world):
    """no name and no address of a network is in the daemon's log, at the level trace, in its files or its lists"""
    root = world.root
    root.run("nmcli --terse --fields SSID,BSSID device wifi list --rescan no | "
             f"tr -d '\\\\' | grep -qiE '({NAMES}).*({NAMES})'", PATIENCE)
    for command in ("journalctl -b -u locationd.service -o export", "cat /var/lib/locationd/*",
                    "locationctl receivers --json", "locationctl doctor", "locationctl metrics --apps"):
        found = root.try_run(f"{command} | grep -av '^_CMDLINE=' | grep -aiE '{NAMES}' | head", PATIENCE)[1]
        assert not found, f"{command}: {found}"


def the_kernel_hears_them_without_networkmanager(world):
    """wpa_supplicant scans alone: the receiver is closed while the kernel hears the same networks, others open it"""
    root = world.root
    world.stop_streams()
    world.machine.dongles[0].is_parked = True
    # They were heard on the way, and would not count again.
    root.run("systemctl stop NetworkManager.service wpa_supplicant.service; systemctl restart locationd.service && "
             f"locationctl places --clear && cat > {FOLDER}/scans <<'END'\n{SCANS}END\n"
             f"systemd-run --quiet --unit=scans wpa_supplicant -i wlan0 -c {FOLDER}/scans", PATIENCE)
    changes = world.streams["changes"] = world.alice.start("exec locationctl watch --json --significant-changes")
    wait_for_change(changes, PATIENCE)
    began = time.monotonic()
    networks = wait_for_receiver(world, lambda receiver: "stillness" in receiver, SETTLING)["stillness"]["networks"]
    world.report.measured("the same networks of the kernel to still", time.monotonic() - began)
    assert 3 <= networks <= 4, networks
    # A fix at the same place would end the doubt at once.
    drive(world)
    fixes = receiver_of(world)["fixes"]
    root.run(in_group("Attic", 0))
    began = time.monotonic()
    wait_for_receiver(world, lambda receiver: "stillness" not in receiver and receiver["fixes"] > fixes, 3 * PATIENCE)
    world.report.measured("other networks of the kernel to the receiver's first fix", time.monotonic() - began)


def the_radios_are_gone(world):
    """the radios are gone"""
    world.machine.dongles[0].is_parked = False
    world.stop_streams()
    world.root.run("systemctl stop NetworkManager.service wpa_supplicant.service scans.service "
                   "access-points.service; "
                   f"rm -rf {FOLDER} {NETWORK_MANAGER} {CONFIGURATION}; modprobe -r mac80211_hwsim; "
                   "systemctl restart locationd.service", 2 * PATIENCE)


def drive(world):
    """Moves the dongle farther than a significant change."""
    world.machine.dongles[0].is_parked = False
    time.sleep(550 / SPEED)


def in_group(place, radio):
    """Returns the command for a radio to hear the radios of a place, and to be heard by them."""
    folder = f"/sys/kernel/debug/ieee80211/$(cat /sys/class/net/wlan{radio}/phy80211/name)/hwsim"
    return f"echo {PLACES[place][0]} > {folder}/group"


def receiver_of(world):
    """Returns the dongle's entry in the list of receivers."""
    return next(receiver for receiver in world.receivers() if receiver["name"] == world.receiver)


def wait_for_receiver(world, accepts, seconds):
    """Returns the dongle's entry in the list of receivers as soon as `accepts` returns true for it."""
    deadline = Deadline(seconds)
    while not accepts(receiver := receiver_of(world)):
        deadline.remaining(f"the receiver; it is {receiver}")
        time.sleep(1)
    return receiver


def wait_for_change(stream, seconds):
    """Waits for the next significant change."""
    stream.wait_for_line("a significant change", lambda line: '"event":"location"' in line, seconds)
