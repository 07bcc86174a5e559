"""Checks whether the commit that is checked out can be released as VERSION, and prints what is missing.

The tree is as committed; the sources, NEWS.md and debian/changelog have the version; no tag has it; each command that a
release needs has a run in Tests/RUNS.md; the machine is one that builds all packages; and the key can sign.
"""

import argparse
import platform
import re
import subprocess
import sys

from archive import machines_release
from commit import PROJECT, git

#: The beginning of each file that names the version.
BEGINNINGS = {
    "NEWS.md": r"# News: locationd {version}\n",
    "debian/changelog": r"locationd \({version}\) (?!UNRELEASED)",
    "Sources/Location/LocationModel/Version.swift": r'(?s).*static let text = "{version}"\n',
}


def faults(version, key):
    """What is missing to a release, a line for each."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f'"{version}" is not a version: pass VERSION=0.9.0, for example'
        return
    for name in git(PROJECT, "status", "--porcelain").decode().splitlines():
        yield f"not as committed: {name[3:]}"
    if git(PROJECT, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} is there already"
    for name, beginning in BEGINNINGS.items():
        if not re.match(beginning.replace("{version}", re.escape(version)), (PROJECT / name).read_text()):
            yield f"{name} is not about {version}"
    if (machines_release(), platform.machine()) != ("bookworm", "x86_64"):
        yield "the packages for Debian 12 are made on Debian 12 on amd64"
    if key and subprocess.run(["gpg", "--list-secret-keys", key], capture_output=True).returncode != 0:
        yield f"gpg has no secret key {key}"
    runs = subprocess.run(["python3", "-B", "Tests/Tools/record.py", "--check"], cwd=PROJECT, capture_output=True,
                          text=True)
    yield from (runs.stdout + runs.stderr).splitlines()
    if runs.returncode != 0 and not runs.stdout + runs.stderr:
        yield "Tests/Tools/record.py --check has failed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--key", help="the key of gpg that signs the release")
    arguments = parser.parse_args()
    missing = list(faults(arguments.version, arguments.key))
    if missing:
        sys.exit("\n".join(missing))


if __name__ == "__main__":
    main()
