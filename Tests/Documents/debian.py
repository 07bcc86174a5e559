"""A fresh Debian in a folder, with the packages installed, an ordinary user with sudo, and a daemon with a simulated
receiver in the place of its unit."""
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "packaging"))

from archive import machines_mirror  # noqa: E402

#: The programs that a reader has, or is told to have: the commands install their own programs.
PACKAGES = ["sudo", "ca-certificates", "procps", "socat", "python3", "python3-venv", "openssl", "man-db", "adduser",
            "dbus-bin", "dbus-daemon", "tzdata", "systemd-standalone-sysusers"]

USER = """
adduser --disabled-password --gecos '' alice
adduser alice locationd
echo 'alice ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/alice
"""

#: The effects of the units.
SERVICE = """
mkdir -p /run/locationd /run/locationd-manage
mkdir -p -m 0700 /var/lib/locationd
printf 'in-use = "connected"\\n' > /etc/locationd/conf.d/test.toml
/usr/sbin/locationd --receiver simulated </dev/null >/var/log/locationd.log 2>&1 &
until [ -S /run/locationd-manage/io.locationd.Manage ]; do
    kill -0 $! || { cat /var/log/locationd.log >&2; exit 1; }
    sleep 0.1
done
chgrp locationd /run/locationd-manage /run/locationd-manage/io.locationd.Manage
"""


class Debian:
    """The folder, which is made once for its release and packages."""

    def __init__(self, folder, release, packages):
        # nsenter(1) begins in the root folder of the namespace.
        self.base = folder.resolve() / release
        stamp = hashlib.sha256(repr((release, PACKAGES, USER)).encode())
        for package in sorted(packages):
            stamp.update(package.read_bytes())
        mark = folder / f"{release}.made"
        if mark.exists() and mark.read_text() == stamp.hexdigest():
            return
        shutil.rmtree(self.base, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", release, self.base,
                        machines_mirror()], check=True, stdout=subprocess.DEVNULL, env=environment)
        # The reader's own way to packages: that of this machine.
        for file in ["etc/apt/apt.conf", "etc/apt/apt.conf.d", "etc/resolv.conf",
                     "etc/ssl/certs/ca-certificates.crt"]:
            source, target = Path("/") / file, self.base / file
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy(source, target)
        for package in packages:
            shutil.copy(package, self.base / "root")
        names = " ".join(f"/root/{package.name}" for package in packages)
        with self.inside(self.base) as enter:
            subprocess.run(enter + ["sh", "-ec", f"apt-get update -q; apt-get install -qy {names}{USER}"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, env=environment)
        mark.write_text(stamp.hexdigest())

    @staticmethod
    @contextlib.contextmanager
    def inside(root):
        """A command that runs another one in the folder, with the kernel's file systems, as root. All of its
        processes end with the block."""
        keeper = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-c",
             f"mount -t proc proc '{root}/proc'; mount -t sysfs sys '{root}/sys'; mount --rbind /dev '{root}/dev'; "
             f"mount -t tmpfs run '{root}/run'; mount -t tmpfs shm '{root}/tmp' -o mode=1777; "
             "echo ready; exec sleep infinity"],
            stdout=subprocess.PIPE, text=True)
        try:
            assert keeper.stdout.readline() == "ready\n"
            children = Path(f"/proc/{keeper.pid}/task/{keeper.pid}/children").read_text().split()
            yield ["nsenter", f"--target={children[0]}", "--mount", "--pid", "chroot", str(root)]
        finally:
            keeper.kill()
            keeper.wait()

    @contextlib.contextmanager
    def copy(self):
        """A copy of the folder in which the daemon runs: the command that runs another one there."""
        copy = self.base.with_name(self.base.name + ".copy")
        shutil.rmtree(copy, ignore_errors=True)
        subprocess.run(["cp", "-a", self.base, copy], check=True)
        try:
            with self.inside(copy) as enter:
                subprocess.run(enter + ["sh", "-ec", SERVICE], check=True)
                yield enter
        finally:
            # The mounts went with the processes' namespace.
            for _ in range(50):
                shutil.rmtree(copy, ignore_errors=True)
                if not copy.exists():
                    break
                time.sleep(0.1)
