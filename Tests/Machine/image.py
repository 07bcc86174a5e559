"""Makes the disk that the machine boots from: a small Debian with systemd, two users, and the agents for the host.

Run as root, with the folder for the image and the packages that will be installed on it: what they depend on is on
the disk already, since the machine has no network.

    image.py .build/machine/image .build/deb/locationd_0.1.0_amd64.deb .build/deb/locationd-gpsd_0.1.0_all.deb

The mirror is the one that apt of this machine uses. What was made is kept until anything that it was made of changes.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

PACKAGES = ["systemd", "systemd-sysv", "udev", "dbus", "libpam-systemd", "procps", "linux-image-amd64",
            "geoclue-2.0", "libgeoclue-2-0", "dbus-user-session", "netbase", "mosquitto", "mosquitto-clients"]

#: What the packages depend on besides: each other, and what dbus provides.
PROVIDED = {"locationd", "default-dbus-system-bus"}

#: Programs that are put on the disk without their packages, by the names of these: one would bring a desktop along, the
#: other needs the very GeoClue that is to be replaced.
PROGRAMS = {"gpsd-clients": "usr/bin/gpspipe", "geoclue-2-demo": "usr/libexec/geoclue-2.0/demos/where-am-i"}

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

#: What the kernel needs to find its root; everything else is on the disk, and loaded by udev.
INITRAMFS_MODULES = "virtio_pci\nvirtio_blk\next4\n"


def apt_source():
    """The Debian release of this machine and the mirror that its apt fetches it from."""
    release = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line
    )["VERSION_CODENAME"].strip('"')
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", f"Release: {release}",
         "Component: main"],
        check=True, capture_output=True, text=True).stdout.split()
    if not targets:
        sys.exit(f"apt knows no mirror of Debian {release}: see sources.list(5)")
    return release, targets[0]


def dependencies(package):
    """The names of the packages that a package depends on; of alternatives the first."""
    fields = subprocess.run(
        ["dpkg-deb", "--show", "--showformat", "${Pre-Depends},${Depends}", package],
        check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", fields)) - PROVIDED


def fetch(name, folder):
    """Fetches a package of this machine's Debian, and returns its path."""
    subprocess.run(["apt-get", "download", "--quiet", name], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob(f"{name}_*.deb"))


def add_programs(root, folder):
    """Adds the programs whose packages are not installed, and keeps the package of GeoClue."""
    for name, program in PROGRAMS.items():
        package = fetch(name, folder)
        archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
        subprocess.run(["tar", "--extract", "--directory", root, f"./{program}"], input=archive, check=True)
        package.unlink()
    fetch("geoclue-2.0", folder).rename(folder / GEOCLUE)


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


def make_initramfs(root):
    """Makes an initramfs that fits the emulated machine and nothing else, so that it is read fast."""
    write(root / "etc/initramfs-tools/modules", INITRAMFS_MODULES)
    write(root / "etc/initramfs-tools/conf.d/host.conf", "MODULES=list\nBUSYBOX=n\nCOMPRESS=gzip\nFSTYPE=ext4\n")
    run_in(root, "update-initramfs", "-u", "-k", "all")


def run_in(root, *command):
    """Runs a command of the new system, in it."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    subprocess.run(["chroot", root, *command], check=True, env=environment, stdout=subprocess.DEVNULL)


def make(folder, packages_to_install):
    """Makes disk, kernel and initramfs in `folder`, unless they are there and made of the same."""
    release, mirror = apt_source()
    packages = PACKAGES + sorted(set().union(*map(dependencies, packages_to_install)))
    sources = [Path(__file__).read_bytes(), (HERE / "agent.sh").read_bytes()]
    key = hashlib.sha256(repr((release, mirror, packages, sources)).encode()).hexdigest()
    stamp = folder / "made-of"
    if stamp.exists() and stamp.read_text() == key:
        print("the disk is there already")
        return
    shutil.rmtree(folder, ignore_errors=True)
    root = folder / "root"
    root.mkdir(parents=True)
    print(f"making a disk: Debian {release}, {len(packages)} packages and what they need")
    bootstrap = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", release, root, mirror],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if bootstrap.returncode != 0:
        sys.exit(bootstrap.stdout)
    customise(root)
    add_programs(root, folder)
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


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve(), sys.argv[2:])
