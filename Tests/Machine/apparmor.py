"""AppArmor: the profiles of the packages, enforced during the other steps.

The first step belongs after the installation of each package, the second before the removal of each, and before the
machine is restarted.
"""

#: The programs' profiles by the packages that install them.
PROFILES = {
    "locationd": ["locationd", "locationd-peers"],
    "locationd-publish": ["locationd-publish"],
    "locationd-nmea": ["locationd-nmea"],
    "locationd-ntrip": ["locationd-ntrip"],
}


def the_profiles_are_enforced(world):
    """AppArmor enforces the profiles of the packages that are installed from now on, and the programs run under them"""
    root = world.root
    assert root.run("cat /sys/module/apparmor/parameters/enabled") == "Y"
    is_first = root.try_run("grep -F '(complain, ' /etc/apparmor.d/locationd")[0] == 0
    for package, names in PROFILES.items():
        if root.try_run(f"dpkg-query -W {package}")[0] != 0:
            continue
        for name in names:
            # As aa-enforce does, which is in another package.
            root.run(f"sed -i 's/(complain, /(/' /etc/apparmor.d/{name} && apparmor_parser -r /etc/apparmor.d/{name}")
    # Another package has changed nothing about these two.
    if not is_first:
        return
    root.run("systemctl restart locationd-peers.service locationd.service")
    for unit, name in {"locationd": "locationd", "locationd-peers": "locationd-peers"}.items():
        pid = root.run(f"systemctl show --property=MainPID --value {unit}.service")
        label = root.run(f"cat /proc/{pid}/attr/current")
        assert label == f"{name} (enforce)", label


def nothing_was_denied(world):
    """AppArmor has denied the programs nothing since the machine has booted"""
    names = "|".join(name for names in PROFILES.values() for name in names)
    # The kernel names the profile, and the bus the label. journald may have read either as an audit record.
    pattern = f'apparmor="DENIED".*(profile|label)="({names})"'
    denied = world.root.try_run(f"journalctl -b -o cat --no-pager | grep -E '{pattern}'", 120)[1]
    assert not denied, denied
