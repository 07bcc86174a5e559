"""Installation and removal of the package."""

#: Paths that the running machine writes itself, also about its radios, what uart.py has copied for chrony,
#: and the lists of packages and users: Debian keeps a package's users.
OTHERS = r"^/(var/(log|cache|tmp)|tmp|home|root|var/lib/(bluetooth|chrony|dpkg|NetworkManager))(/|$)|" \
    r"^/var/lib/systemd/(linger|timers|catalog|random-seed|rfkill)(/|$)|" \
    r"^/etc/systemd/system/chrony\.service\.d(/|$)|" \
    r"^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-$|^/var/backups/|^/lost\+found$"

LIST_FILES = f"find / -xdev -not -type s | grep -vE '{OTHERS}' | sort"


def the_package_is_installed(world):
    """dpkg -i installs the package: Debian provides everything else that it needs"""
    root = world.root
    world.files_before = root.run(LIST_FILES).splitlines()
    root.run("mkdir /var/tmp/packages && tar -xf /dev/disk/by-id/virtio-packages -C /var/tmp/packages")
    root.run("dpkg -i /var/tmp/packages/locationd.deb", 300)
    assert root.run("dpkg-query -W -f '${Status}' locationd") == "install ok installed"
    size = int(root.run("stat --format=%s /var/tmp/packages/locationd.deb"))
    world.report.figure(f"size of the package: {size / 1e6:.1f} MB")
    assert size <= 14_000_000


def apt_installs_from_the_repository(world):
    """apt installs the packages from the repository: Debian provides everything else that they need"""
    root = world.root
    root.run("mkdir /var/tmp/packages && tar -xf /dev/disk/by-id/virtio-packages -C /var/tmp/packages", 120)
    root.run("echo 'deb [trusted=yes] file:/var/tmp/packages/repository '$(. /etc/os-release; echo $VERSION_CODENAME)"
             "' main' >/etc/apt/sources.list.d/locationd.list")
    options = "-o Dir::Etc::sourcelist=sources.list.d/locationd.list -o Dir::Etc::sourceparts=-"
    root.run(f"apt-get {options} update", 300)
    root.run(f"DEBIAN_FRONTEND=noninteractive apt-get {options} install -y locationd", 900)
    assert root.run("dpkg-query -W -f '${Status}' locationd") == "install ok installed"


def the_daemon_is_small(world):
    """the installed daemon is at most 40 MB: it contains no ICU data"""
    size = int(world.root.run("stat --format=%s /usr/sbin/locationd"))
    world.report.figure(f"size of locationd: {size / 1e6:.1f} MB")
    assert size <= 40_000_000


def no_swift_is_needed(world):
    """the programs run without a Swift runtime"""
    linked = world.root.run("ldd /usr/sbin/locationd /usr/bin/locationctl /usr/libexec/locationd-peers")
    assert "libc.so" in linked and "not found" not in linked and "swift" not in linked.lower(), linked
    found = world.root.run("find / -xdev -iname 'libswift*'")
    assert not found, found
    assert world.root.run("locationctl --version")


def the_sockets_listen(world):
    """both sockets listen, with the permissions of their users"""
    for socket, expected in {
            "locationd/io.locationd.Location": "666 root root",
            "locationd-manage/io.locationd.Manage": "666 root locationd"}.items():
        mode = world.root.run(f"stat --format='%a %U %G' /run/{socket}")
        assert mode == expected, f"{socket} is {mode}, not {expected}"
    status, output = world.alice.try_run("locationctl receivers")
    assert status == 4 and "usermod" in output, f"alice may manage: {status} {output}"


def the_first_client_starts_it(world):
    """the daemon is started by its first client"""
    root = world.root
    root.run("systemctl stop locationd.service")
    assert root.try_run("systemctl is-active locationd.service")[1] == "inactive"
    took = root.run("TIMEFORMAT=%R; time locationctl status >/dev/null")
    assert root.run("systemctl is-active locationd.service") == "active"
    world.report.measured("start of the daemon by its first client, answer included", float(took))


def it_runs_unprivileged(world):
    """the daemon runs as its own user without capabilities; only its helper runs as root, in a sandbox"""
    root = world.root
    status = root.run(f"cat /proc/{world.main_process()}/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    uid = root.run("id -u locationd")
    assert set(fields["Uid"].split()) == {uid}, fields["Uid"]
    assert int(fields["CapEff"], 16) == int(fields["CapBnd"], 16) == 0, status
    assert (fields["Seccomp"], fields["NoNewPrivs"]) == ("2", "1"), status
    owners = root.run(
        "for file in $(cat /sys/fs/cgroup/system.slice/locationd*.service/cgroup.procs); do"
        " stat --format=%u /proc/$file; readlink /proc/$file/exe; done").split()
    for owner, program in zip(owners[::2], owners[1::2]):
        assert owner == uid or program == "/usr/libexec/locationd-peers", f"{program} runs as {owner}"
    exposure = root.run("systemd-analyze security --no-pager locationd.service | tail -n 1")
    world.report.figure(exposure.strip("→ "))


def purge_leaves_nothing(world):
    """dpkg --purge leaves nothing but the user and the group"""
    root = world.root
    assert "/var/lib/locationd/locationd.db" in root.run(LIST_FILES)
    root.run("dpkg --purge locationd", 300)
    left = sorted(set(root.run(LIST_FILES).splitlines()) - set(world.files_before))
    assert not left, "left behind:\n" + "\n".join(left)
    assert not root.run("ls -d /run/locationd* 2>/dev/null; grep -l locationd /proc/[0-9]*/comm 2>/dev/null; true")
    units = root.run("systemctl list-units --all --plain --no-legend 'locationd*'")
    assert not units, units

