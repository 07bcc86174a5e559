"""Makes an apt repository of the packages that are built: `repository.py .build/repository [--key NAME]`.

The packages of this machine's release are in .build/deb, those of others in .build/packages/NAME. Each release has a
folder of its own in pool/, since packages of the same version differ between releases. With a key, InRelease and
Release.gpg are signed, and locationd.gpg is the public key for those who add the repository.
"""

import argparse
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

from archive import machines_release

BUILD = Path(__file__).resolve().parent.parent / ".build"

#: Where packages are, and the release that they are for. Those for all architectures come from the first that has them.
SOURCES = [
    (BUILD / "deb", machines_release()),
    (BUILD / "packages/debian13-amd64", "trixie"),
    (BUILD / "packages/debian13-arm64", "trixie"),
]
ORIGIN = "locationd"
COMPONENT = "main"


def add_packages(pool):
    """Copies the packages into the pool. Returns the architectures of each release."""
    architectures = {}
    for folder, release in SOURCES:
        for package in sorted(folder.glob("*.deb")):
            if "-dbgsym_" in package.name:
                continue
            architecture = package.stem.rpartition("_")[2]
            (pool / release).mkdir(parents=True, exist_ok=True)
            if not (pool / release / package.name).exists():
                shutil.copy2(package, pool / release)
            if architecture != "all":
                architectures.setdefault(release, set()).add(architecture)
    return architectures


def make_release(root, release, architectures):
    """Writes the lists of packages of a release, and the Release file over them."""
    for architecture in sorted(architectures):
        folder = root / "dists" / release / COMPONENT / f"binary-{architecture}"
        folder.mkdir(parents=True)
        packages = output(root, "apt-ftparchive", "--arch", architecture, "packages", f"pool/{release}")
        (folder / "Packages").write_bytes(packages)
        # Without a time stamp: the same packages make the same repository.
        (folder / "Packages.gz").write_bytes(gzip.compress(packages, mtime=0))
    fields = {
        "Origin": ORIGIN, "Label": ORIGIN, "Suite": release, "Codename": release,
        "Architectures": " ".join(sorted(architectures)), "Components": COMPONENT,
        "Description": f"locationd for Debian {release}",
    }
    options = [part for key, value in fields.items() for part in ["-o", f"APT::FTPArchive::Release::{key}={value}"]]
    text = output(root, "apt-ftparchive", *options, "release", f"dists/{release}")
    (root / "dists" / release / "Release").write_bytes(text)


def sign(root, release, key):
    """Signs a release, within its file and beside it."""
    folder = root / "dists" / release
    gpg = ["gpg", "--batch", "--yes", "--local-user", key]
    output(folder, *gpg, "--clearsign", "--output", "InRelease", "Release")
    output(folder, *gpg, "--armor", "--detach-sign", "--output", "Release.gpg", "Release")


def output(folder, *command):
    """What a command prints. Ends the program if it fails, or leaves a package out, which is no failure to
    apt-ftparchive."""
    try:
        run = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if run.stderr.startswith(b"E: ") or b"\nE: " in run.stderr:
            sys.exit(run.stderr.decode().strip())
        return run.stdout
    except FileNotFoundError:
        sys.exit(f"{command[0]} is missing: sudo apt-get install apt-utils gpg")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{command[0]} has failed: {error.stderr.decode().strip()}")


def main():
    parser = argparse.ArgumentParser(prog="repository.py", description=__doc__.partition("\n\n")[2])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", help="the key of gpg that signs it")
    arguments = parser.parse_args()
    root = arguments.folder.resolve()
    new = root.with_name(f"{root.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    architectures = add_packages(new / "pool")
    if not architectures:
        sys.exit("no packages are built: make deb, make deb-debian13 or make deb-arm64")
    for release in sorted(architectures):
        make_release(new, release, architectures[release])
        if arguments.key:
            sign(new, release, arguments.key)
    if arguments.key:
        (new / "locationd.gpg").write_bytes(output(new, "gpg", "--batch", "--export", arguments.key))
    shutil.rmtree(root, ignore_errors=True)
    new.rename(root)
    for release in sorted(architectures):
        print(f"{release}: {', '.join(sorted(architectures[release]))}{'' if arguments.key else ', not signed'}")


if __name__ == "__main__":
    main()
