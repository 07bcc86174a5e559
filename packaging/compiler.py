"""Debian's Swift compiler, in a folder that serves as its root: its C library is newer than the machine's."""

from folders import unpack, whole

#: What the compiler and the package manager run besides themselves.
PACKAGES = ["swiftlang", "bash", "coreutils", "git", "libc-bin", "libc6-dev", "pkgconf"]


def make(folder, packages):
    """Makes the root of the compiler of the packages that it consists of, if it is not there."""
    with whole(folder, "\n".join(map(str, packages))) as new:
        if new is None:
            return
        print(f"unpacking Swift's compiler: {len(packages)} packages", flush=True)
        for link in ["bin", "sbin", "lib", "lib64"]:
            (new / "usr" / link).mkdir(parents=True, exist_ok=True)
            (new / link).symlink_to(f"usr/{link}")
        for package in packages:
            unpack(package, new)
        # Made by a script of dash's package, which is not run.
        shell = new / "usr/bin/sh"
        shell.unlink(missing_ok=True)
        shell.symlink_to("bash")
        for empty in ["proc", "dev", "tmp", "root"]:
            (new / empty).mkdir(exist_ok=True)
