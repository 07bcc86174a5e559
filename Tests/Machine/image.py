"""Makes the disk that the machine boots from: a small Debian with systemd, two users, and the agents for the host.

Run as root, with the folder for the image and the packages that will be installed on it: what they depend on is on
the disk already, since the machine has no network.

    image.py .build/machine/image .build/deb/locationd_*.deb .build/deb/locationd-gpsd_*.deb

With --desktop it has Xfce, for alice, and with --containers podman. With --release and --architecture it is of another
Debian. For another architecture the packages are set up under emulation, by qemu-user-static. The mirror is the one
that apt of this machine uses. The result is kept until one of its parts changes.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "packaging"))

from archive import Archive, machines_mirror, machines_release  # noqa: E402

PACKAGES = ["systemd", "systemd-sysv", "udev", "dbus", "libpam-systemd", "procps", "geoclue-2.0", "libgeoclue-2-0",
            "dbus-user-session", "netbase", "mosquitto", "mosquitto-clients", "chrony"]

#: Bluetooth, with the programs that make a device of a second adapter, and Wi-Fi, with the program that makes access
#: points. On amd64 only: see `SHORT_STEPS`.
RADIO = ["bluez", "bluez-test-tools", "python3-dbus", "python3-gi", "network-manager", "wpasupplicant", "hostapd"]

#: AppArmor, whose profiles are enforced by the steps of the same machines.
CONFINEMENT = ["apparmor"]

#: A desktop with its notifications, its panel and its polkit agent, on a screen in memory; and what presses its
#: buttons, takes its pictures and answers in its terminal.
DESKTOP = ["xvfb", "xfce4-session", "xfwm4", "xfce4-panel", "xfce4-notifyd", "polkitd", "mate-polkit", "sudo", "xterm",
           "adwaita-icon-theme", "librsvg2-common", "fonts-dejavu-core", "xdotool", "scrot", "expect", "locales"]

#: GNOME's settings, whose page about the location is gone through on this release.
SETTINGS_RELEASE = "trixie"
SETTINGS = ["gnome-control-center", "xdg-desktop-portal", "dconf-gsettings-backend", "libglib2.0-bin"]

#: The language of a session, besides English.
LANGUAGE = "de"
LOCALE = "de_DE.UTF-8"

#: Podman, with what it needs for containers of users and for their networks.
CONTAINERS = ["podman", "crun", "uidmap", "passt", "nftables"]

#: How the kernel of a program of another architecture is told to run it: see binfmt_misc in the kernel's documentation.
BINFMT = Path("/proc/sys/fs/binfmt_misc")
EMULATORS = {"arm64": "qemu-aarch64"}

#: The other dependencies of the packages: each other, and dbus's provisions.
PROVIDED = {"locationd", "default-dbus-system-bus"}

#: Programs that are put on the disk without their packages, by the names of these: one would bring a desktop along, the
#: other needs the very GeoClue that is to be replaced.
PROGRAMS = {
    "gpsd-clients": ["usr/bin/gpspipe"],
    "geoclue-2-demo": [
        "usr/libexec/geoclue-2.0/demos/where-am-i", "usr/share/applications/geoclue-where-am-i.desktop"],
}

#: The package that is installed in the place of locationd-geoclue at the end, beside the disk.
GEOCLUE = "geoclue-2.0.deb"

#: Each has a terminal of the seat, where a real login brings a session, and there an agent.
USERS = {"alice": (1001, "tty1"), "bob": (1002, "tty2")}

#: As much as the packages need, and room for a database and a journal. The file is sparse. In bytes.
DISK_SIZE = 3 << 30

UDEV_RULE = """\
SUBSYSTEM=="virtio-ports", ATTR{name}=="root", TAG+="systemd", ENV{SYSTEMD_WANTS}+="host-agent.service"
"""

AGENT_UNIT = """\
[Unit]
Description=Runs what the host says, as root

[Service]
ExecStart=/usr/local/bin/host-agent /dev/virtio-ports/root
"""

AUTOLOGIN = """\
[Unit]
Wants=dev-virtio\\x2dports-{user}.device
After=dev-virtio\\x2dports-{user}.device

[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin {user} --noclear %I linux
"""

#: The kernel's modules for finding its root; all others are on the disk, and loaded by udev.
INITRAMFS_MODULES = "virtio_pci\nvirtio_blk\next4\n"
INITRAMFS = "MODULES=list\nBUSYBOX=n\nCOMPRESS=gzip\nFSTYPE=ext4\n"


def dependencies(package):
    """The packages that a package depends on, each with the alternatives to it, by name."""
    fields = subprocess.run(
        ["dpkg-deb", "--show", "--showformat", "${Pre-Depends},${Depends}", package],
        check=True, capture_output=True, text=True).stdout
    groups = {tuple(re.findall(r"(?:^|\|)\s*([a-z0-9.+-]+)", group.strip())) for group in fields.split(",")}
    return {group for group in groups if group and not PROVIDED & set(group)}


class Debian:
    """A release of Debian for an architecture: where its packages come from."""

    def __init__(self, release, architecture, folder):
        self.release = release
        self.architecture = architecture
        self.mirror = machines_mirror()
        self.archive = Archive(folder / "apt", [release])
        #: The packages that were fetched for a disk, for the next one.
        self.cache = folder / "packages"

    def choose(self, alternatives):
        """Returns the first of the alternatives that the release has."""
        if len(alternatives) == 1:
            return alternatives[0]
        self.archive.update()
        return next(name for name in alternatives if self.archive.candidate(name, self.architecture, self.release))

    def fetch(self, name):
        """Fetches a package, and returns its path."""
        self.archive.update()
        package = self.archive.single(name, self.architecture, self.release)
        self.archive.fetch([package])
        return package.path

    def bootstrap(self, root, packages):
        """Installs the packages, and what they need, into a folder."""
        allow_emulation(self.architecture)
        self.cache.mkdir(parents=True, exist_ok=True)
        debootstrap("debootstrap", "--foreign", f"--arch={self.architecture}", "--variant=minbase",
                    f"--include={','.join(packages)}", f"--cache-dir={self.cache}", self.release, root, self.mirror)
        # Before the kernel's package makes its initramfs, which under emulation takes half an hour with all modules.
        write(root / "etc/initramfs-tools/conf.d/host.conf", INITRAMFS)
        debootstrap("chroot", root, "/debootstrap/debootstrap", "--second-stage")


def debootstrap(*command):
    """Runs a part of debootstrap. Ends the program with what it has printed if it fails."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    run = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, errors="replace")
    if run.returncode != 0:
        sys.exit(run.stdout)


def allow_emulation(architecture):
    """Has the kernel run programs of another architecture, if it does not yet. Ends the program without an emulator."""
    emulator = EMULATORS.get(architecture)
    if emulator is None:
        return
    rule = Path(f"/usr/lib/binfmt.d/{emulator}.conf")
    if not rule.exists():
        sys.exit(f"{emulator} is missing, which runs programs of {architecture}: sudo apt-get install qemu-user-static")
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT], check=True)
    if not (BINFMT / emulator).exists():
        (BINFMT / "register").write_text(rule.read_text().strip())


def add_programs(root, folder, debian):
    """Adds the programs whose packages are not installed, and keeps the package of GeoClue."""
    for name, files in PROGRAMS.items():
        archive = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", debian.fetch(name)], check=True, capture_output=True).stdout
        subprocess.run(
            ["tar", "--extract", "--directory", root, *(f"./{file}" for file in files)], input=archive, check=True)
    shutil.copyfile(debian.fetch("geoclue-2.0"), folder / GEOCLUE)


def write(path, text, mode=0o644):
    """Writes a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def customise(root):
    """Adds what makes a machine of a bare system: users that log in by themselves, and the agents."""
    write(root / "etc/hostname", "machine\n")
    write(root / "etc/hosts", "127.0.0.1 localhost machine\n::1 localhost\n")
    write(root / "etc/fstab", "LABEL=machine / ext4 defaults 0 1\n")
    write(root / "etc/udev/rules.d/70-host.rules", UDEV_RULE)
    write(root / "etc/systemd/system/host-agent.service", AGENT_UNIT)
    write(root / "usr/local/bin/host-agent", (HERE / "agent.sh").read_text(), 0o755)
    # A journal that outlasts a power cut, and does not hold a flood of lines back.
    write(root / "etc/systemd/journald.conf.d/host.conf", "[Journal]\nStorage=persistent\nRateLimitBurst=0\n")
    for user, (uid, terminal) in USERS.items():
        run_in(root, "useradd", "--create-home", "--uid", str(uid), "--shell", "/bin/bash", user)
        rules = root / "etc/udev/rules.d/70-host.rules"
        rules.write_text(
            f'{rules.read_text()}SUBSYSTEM=="virtio-ports", ATTR{{name}}=="{user}", TAG+="systemd", OWNER="{user}"\n')
        write(root / f"etc/systemd/system/getty@{terminal}.service.d/autologin.conf", AUTOLOGIN.format(user=user))
        run_in(root, "systemctl", "--quiet", "enable", f"getty@{terminal}.service")
        write(root / f"home/{user}/.bash_profile", f"exec host-agent /dev/virtio-ports/{user}\n")
        write(root / f"home/{user}/.hushlogin", "")


def add_desktop(root):
    """Lets alice do what the owner of a desktop does: administer it, without a password, and speak her language."""
    write(root / "etc/sudoers.d/alice", "alice ALL=(ALL) NOPASSWD: ALL\n", 0o440)
    run_in(root, "localedef", "--inputfile", LOCALE.partition(".")[0], "--charmap", "UTF-8", LOCALE)


def leave_networks_alone(root):
    """Has NetworkManager wait until its steps start it, and removes polkit, which it depends on: the other steps are
    those of a machine without either, and root needs no polkit."""
    run_in(root, "systemctl", "--quiet", "disable", "NetworkManager.service", "wpa_supplicant.service")
    run_in(root, "dpkg", "--purge", "--force-depends", "polkitd")


def make_initramfs(root):
    """Makes an initramfs that fits the emulated machine and nothing else, so that it is read fast."""
    write(root / "etc/initramfs-tools/modules", INITRAMFS_MODULES)
    run_in(root, "update-initramfs", "-u", "-k", "all")


def run_in(root, *command):
    """Runs a command of the new system, in it."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    subprocess.run(["chroot", root, *command], check=True, env=environment, stdout=subprocess.DEVNULL)


def make(folder, packages_to_install, release, architecture, kind):
    """Makes disk, kernel and initramfs in `folder`, unless they are there and made of the same."""
    debian = Debian(release, architecture, folder.parent / f"{release}-{architecture}")
    usual = [*RADIO, *CONFINEMENT] if architecture == "amd64" else []
    settings = SETTINGS if release == SETTINGS_RELEASE else []
    kinds = {"desktop": DESKTOP + settings, "containers": CONTAINERS}
    needed = sorted(set().union(*map(dependencies, packages_to_install)))
    packages = [*PACKAGES, *kinds.get(kind, usual), f"linux-image-{architecture}"]
    sources = [Path(__file__).read_bytes(), (HERE / "agent.sh").read_bytes()]
    key = hashlib.sha256(repr((release, architecture, debian.mirror, packages, needed, sources)).encode()).hexdigest()
    stamp = folder / "made-of"
    if stamp.exists() and stamp.read_text() == key:
        print("the disk is there already")
        return
    shutil.rmtree(folder, ignore_errors=True)
    packages += sorted(set(map(debian.choose, needed)) - set(packages))
    root = folder / "root"
    root.mkdir(parents=True)
    print(f"making a disk: Debian {release} on {architecture}, {len(packages)} packages and what they need", flush=True)
    debian.bootstrap(root, packages)
    customise(root)
    if kind == "desktop":
        add_desktop(root)
    if kind not in kinds and usual:
        leave_networks_alone(root)
    add_programs(root, folder, debian)
    make_initramfs(root)
    shutil.rmtree(root / "var/cache/apt/archives")
    for name in ["vmlinuz", "initrd.img"]:
        # Links below the new root: vmlinuz -> boot/vmlinuz-6.1.0-amd64.
        shutil.copyfile(root / os.readlink(root / name).lstrip("/"), folder / name)
    with open(folder / "disk", "wb") as disk:
        disk.truncate(DISK_SIZE)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-L", "machine", "-d", root, folder / "disk"], check=True)
    shutil.rmtree(root)
    stamp.write_text(key)


def main():
    parser = argparse.ArgumentParser(prog="image.py", description=__doc__.partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--release", default=machines_release())
    parser.add_argument("--architecture", default="amd64")
    for kind in ["desktop", "containers"]:
        parser.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind)
    arguments = parser.parse_args()
    make(arguments.folder.resolve(), arguments.packages, arguments.release, arguments.architecture, arguments.kind)


if __name__ == "__main__":
    main()
