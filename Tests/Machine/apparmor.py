"""AppArmor: the profiles of the packages, enforced during the other steps.

The first step belongs after the installation of each package, the second before the removal of each, and before the
machine is restarted.
"""

#: The programs' profiles.
PROFILES = ["locationd", "locationd-peers", "locationd-publish", "locationd-nmea", "locationd-ntrip"]


def the_profiles_are_enforced(world):
    """AppArmor enforces the profiles of the packages that are installed from now on, and the programs run under them"""
    root = world.root
    assert root.run("cat /sys/module/apparmor/parameters/enabled") == "Y"
    is_first = root.try_run("grep -F '(complain, ' /etc/apparmor.d/locationd")[0] == 0
    for name in PROFILES:
        # As aa-enforce does, which is in another package.
        root.run(f"file=/etc/apparmor.d/{name}; [ ! -e $file ] || "
                 "{ sed -i 's/(complain, /(/' $file && apparmor_parser -r $file; }")
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
    names = "|".join(PROFILES)
    # The kernel names the profile, and the bus the label. journald may have read either as an audit record.
    pattern = f'apparmor="DENIED".*(profile|label)="({names})"'
    denied = world.root.try_run(f"journalctl -b -o cat --no-pager | grep -E '{pattern}'", 120)[1]
    assert not denied, denied
