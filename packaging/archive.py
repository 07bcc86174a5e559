"""Debian's archive, through an apt root of our own: packages of another release or architecture than the machine's.

Nothing is installed. What apt fetches is kept in the root, verified by the keyring of Debian's archive, and is fetched
once. The mirror is the one that apt of this machine uses.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class Package:
    """A package of the archive, as apt has chosen it: name, version and architecture, and where its file is."""

    def __init__(self, name, version, architecture, folder):
        self.name = name
        self.version = version
        self.architecture = architecture
        self.path = folder / f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"

    def __str__(self):
        return f"{self.name}:{self.architecture}={self.version}"


class Archive:
    """The apt root in `folder`, with the suites of Debian that are named."""

    def __init__(self, folder, suites):
        self.folder = folder
        self.suites = suites
        self.packages = folder / "cache/archives"
        self.lists = folder / "lists"
        self._is_current = False

    def update(self):
        """Fetches the lists of packages, once in the life of this object. Ends the program if that fails."""
        if self._is_current:
            return
        if not KEYRING.exists():
            sys.exit(f"{KEYRING} is missing: install debian-archive-keyring")
        for folder in [self.lists / "partial", self.packages / "partial"]:
            folder.mkdir(parents=True, exist_ok=True)
        mirror = machines_mirror()
        (self.folder / "status").touch()
        (self.folder / "sources.list").write_text("".join(
            f"deb [arch=amd64,arm64 signed-by={KEYRING}] {mirror} {suite} main\n" for suite in self.suites))
        print(f"fetching the lists of Debian {' and '.join(self.suites)}", flush=True)
        # An error of one list is an error, not a warning about an old list.
        run = self._apt("update", "-qq", "-o", "APT::Update::Error-Mode=any")
        if run.returncode != 0:
            sys.exit(f"Debian's mirror {mirror} cannot be reached, or is not whole:\n{reason(run.stderr)}")
        self._is_current = True

    def candidate(self, name, architecture, suite):
        """The version of a package in a suite, `None` if it is not there."""
        run = self._apt_cache("madison", f"{name}:{architecture}")
        for line in run.stdout.splitlines():
            version, source = [field.strip() for field in line.split("|")[1:]]
            if f" {suite}/" in source and source.endswith(f" {architecture} Packages"):
                return version
        return None

    def closure(self, names, suite):
        """The packages `names`, each as NAME:ARCHITECTURE, of a suite, with all that they depend on."""
        run = self._apt("install", "--simulate", "--no-install-recommends", "-t", suite, *names)
        if run.returncode != 0:
            sys.exit(f"Debian {suite} does not have {', '.join(names)} together:\n{reason(run.stderr)}")
        chosen = re.findall(r"^Inst (\S+?)(?::\S+)? \((\S+) .*\[(\w+)\]\)", run.stdout, re.MULTILINE)
        return [Package(*package, self.packages) for package in chosen]

    def single(self, name, architecture, suite):
        """One package of a suite without what it depends on. It must be there."""
        return Package(name, self.candidate(name, architecture, suite), architecture, self.packages)

    def fetch(self, packages):
        """Fetches those of the packages that are not here yet. Ends the program if one cannot be had."""
        missing = [package for package in packages if not package.path.exists()]
        if not missing:
            return
        print(f"fetching {len(missing)} packages", flush=True)
        # apt writes into its working directory, and only complete files get their name.
        partial = self.packages / "partial"
        run = self._apt("download", "-qq", *map(str, missing), folder=partial)
        for package in missing:
            fetched = partial / package.path.name
            if run.returncode != 0 or not fetched.exists():
                sys.exit(f"{package} cannot be fetched from Debian's mirror:\n{reason(run.stderr)}")
        for package in missing:
            (partial / package.path.name).rename(package.path)

    def _apt(self, *arguments, folder=None):
        return self._run("apt-get", arguments, folder)

    def _apt_cache(self, *arguments):
        return self._run("apt-cache", arguments, None)

    def _run(self, program, arguments, folder):
        options = {
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::Etc::preferencesparts": "-",
            "Dir::State": self.folder,
            "Dir::State::lists": self.lists,
            "Dir::State::status": self.folder / "status",
            "Dir::Cache": self.folder / "cache",
            "Dir::Cache::archives": self.packages,
            "Dir::Cache::pkgcache": "pkgcache.bin",
            "Dir::Cache::srcpkgcache": "srcpkgcache.bin",
            "APT::Architecture": "amd64",
            "APT::Architectures": "amd64,arm64",
            "APT::Sandbox::User": "root",
            "APT::Update::Post-Invoke-Success": "",
            # A mirror that lags behind is fine: its files are signed.
            "Acquire::Check-Valid-Until": "false",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
        }
        command = [program]
        for key, value in options.items():
            command += ["-o", f"{key}={value}"]
        return subprocess.run(
            command + list(arguments), cwd=folder, capture_output=True, text=True,
            env=os.environ | {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"})


def machines_mirror():
    """The mirror of Debian that apt of this machine uses."""
    run = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian",
         "Component: main", f"Codename: {machines_release()}"],
        capture_output=True, text=True)
    sites = run.stdout.split()
    if not sites:
        sys.exit("apt of this machine knows no mirror of Debian: see sources.list(5), and run apt-get update")
    return sites[0]


def machines_release():
    """The code name of the Debian release that this machine runs, such as "bookworm"."""
    text = Path("/etc/os-release").read_text()
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)["VERSION_CODENAME"].strip('"')


def reason(text):
    """The first error that apt has printed."""
    errors = [line for line in text.splitlines() if line.startswith(("E: ", "Err"))]
    return next(iter(errors), text.strip() or "apt gave no reason")
