"""Prepares what packages of another Debian release are built with: its libraries, and for arm64 a compiler.

Everything comes from Debian's archive through apt, into .build, and nothing is installed. It can be interrupted and
repeated at any time, and a second run downloads nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import compiler
import sdk
import sysroot
from archive import Archive
from folders import STAMP

BUILD = Path(__file__).resolve().parent.parent / ".build"

#: The release of Debian that the packages are for.
RELEASE = "trixie"
#: Where Debian has a Swift that builds the sources. The release itself has 6.0, which is too old.
COMPILER_SUITE = "sid"
#: The version of that Swift with which the packages were built and tried.
SWIFT_VERSION = os.environ.get("DEBIAN_SWIFT", "6.2.3")

ARCHIVE = Archive(BUILD / "debian13/apt", [RELEASE, COMPILER_SUITE])


def debian13_arm64():
    """A compiler, a sysroot and an SDK for Debian 13 on arm64, in .build/arm64."""
    folder = BUILD / "arm64"
    needs("qemu-aarch64-static", "qemu-user-static", "runs the programs once, for their manual page and completions")
    key = f"{SWIFT_VERSION} {compiler.PACKAGES} {sysroot.PACKAGES} {folder}"
    if is_prepared(folder, key):
        return
    ARCHIVE.update()
    swift = [known_swift(name, "arm64") for name in ["swiftlang", "libswiftlang"]]
    known_swift("swiftlang", "amd64")
    tools = ARCHIVE.closure([f"{name}:amd64" for name in compiler.PACKAGES], COMPILER_SUITE)
    libraries = libraries_of("arm64")
    ARCHIVE.fetch([*tools, *libraries, *swift])
    begin(folder)
    compiler.make(folder / "compiler", tools)
    sysroot.make(folder / "sysroot", "arm64", libraries, swift)
    root = folder / "sysroot"
    sdk.make(folder / "sdks", "debian13-arm64", "aarch64-unknown-linux-gnu", root, root / "usr/lib")
    (folder / STAMP).write_text(key)


def debian13_amd64():
    """A sysroot and an SDK for Debian 13 on amd64, for this machine's Swift, in .build/amd64."""
    folder = BUILD / "amd64"
    resources = swift_resources()
    key = f"{resources} {sysroot.PACKAGES} {folder}"
    if is_prepared(folder, key):
        return
    ARCHIVE.update()
    libraries = libraries_of("amd64")
    ARCHIVE.fetch(libraries)
    begin(folder)
    sysroot.make(folder / "sysroot", "amd64", libraries, [])
    sysroot.link_swift(folder / "sysroot", resources)
    sdk.make(folder / "sdks", "debian13-amd64", "x86_64-unknown-linux-gnu", folder / "sysroot", resources)
    (folder / STAMP).write_text(key)


def is_prepared(folder, key):
    """Returns whether a folder is prepared already, so that not even the lists of packages are needed."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_text() == key:
        print(f"{folder.name} is prepared already", flush=True)
        return True
    return False


def begin(folder):
    """Notes that a folder is not prepared until all of it is made again."""
    (folder / STAMP).unlink(missing_ok=True)


def libraries_of(architecture):
    """The packages of a sysroot. Programs that they depend on for the build machine's own use are left out."""
    names = [f"{name}:{architecture}" for name in sysroot.PACKAGES]
    closure = ARCHIVE.closure(names, RELEASE)
    return [package for package in closure if package.architecture in (architecture, "all")]


def known_swift(name, architecture):
    """A package of the Swift that is expected. Ends the program if Debian has another one by now."""
    version = ARCHIVE.candidate(name, architecture, COMPILER_SUITE)
    if version is None:
        sys.exit(f"Debian {COMPILER_SUITE} has no {name} for {architecture}; expected was {SWIFT_VERSION}")
    if version.split("-")[0] != SWIFT_VERSION:
        sys.exit(f"Debian {COMPILER_SUITE} has {name} {version} for {architecture}; expected was {SWIFT_VERSION}. "
                 f"To try with that one: DEBIAN_SWIFT={version.split('-')[0]}")
    return ARCHIVE.single(name, architecture, COMPILER_SUITE)


def needs(program, package, purpose):
    """Ends the program if another one is missing."""
    if shutil.which(program) is None:
        sys.exit(f"{program} is missing, which {purpose}: sudo apt-get install {package}")


def swift_resources():
    """The folder above this machine's Swift libraries."""
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    if swift is None:
        sys.exit("Swift is missing: pass SWIFT=/path/to/usr/bin/swift")
    return Path(swift).resolve().parent.parent / "lib"


TARGETS = {"debian13-amd64": debian13_amd64, "debian13-arm64": debian13_arm64}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    arguments = parser.parse_args()
    try:
        TARGETS[arguments.target]()
    except KeyboardInterrupt:
        sys.exit("interrupted: repeat it, what was fetched is kept")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} has failed (status {error.returncode}): see above, then repeat")


if __name__ == "__main__":
    main()
