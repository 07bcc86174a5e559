"""The programs and libraries in packages of Debian, and what each is linked with."""

import re
import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

from commit import PROJECT

MULTIARCH = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}


def fields(package):
    """The fields of a package's control file, by their names."""
    text = subprocess.run(["dpkg-deb", "--field", package], check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r"^(\S+): (.*)", text, re.MULTILINE))


def binaries(package):
    """The programs and static libraries in a package, by their file names."""
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(tar)) as archive:
        contents = {Path(entry.name).name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    return {name: data for name, data in contents.items() if data.startswith((b"\x7fELF", b"!<arch>\n"))}


def needed(program):
    """The names of the shared libraries that a program needs, such as "libsqlite3.so.0"."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(program)
        file.flush()
        text = subprocess.run(["readelf", "--dynamic", file.name], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))


def loaded(program):
    """The names of the shared libraries in a program's data, which it may load when it runs."""
    return {name.decode() for name in re.findall(rb"lib[A-Za-z0-9_+.-]+?\.so\.\d+", program)} - needed(program)


def modules(link_list):
    """The names of the modules whose objects are linked, from the package manager's list of objects."""
    return set(re.findall(r"/([^/\n]+)\.build/[^\n]*\.o$", link_list.read_text(), re.MULTILINE))


def origin(module, pins):
    """The package of Swift that a module is from, `None` for one of this project's. Ends the program at any other."""
    for pin in pins.values():
        if (pin.folder / "Sources" / module).is_dir() or (pin.folder / module).is_dir():
            return pin
    if not any(PROJECT.glob(f"Sources/*/{name}") for name in [module, module.replace("_", "-")]):
        raise SystemExit(f"the module {module} is from no known package")
    return None


class Installed:
    """The packages of Debian in the database of dpkg in `folder`, for the libraries of an architecture."""

    def __init__(self, folder, architecture):
        self.folder = folder
        self.architecture = architecture
        self.versions = {}
        for block in (folder / "status").read_text().split("\n\n"):
            found = dict(re.findall(r"^(Package|Architecture|Version): (.*)", block, re.MULTILINE))
            if found.get("Architecture") == architecture:
                self.versions[found["Package"]] = found["Version"]
        self.owners = {}
        for path in sorted((folder / "info").glob("*.list")):
            package, _, own = path.stem.partition(":")
            if own in ("", architecture) and package in self.versions:
                for line in path.read_text().splitlines():
                    if f"/{MULTIARCH[architecture]}/" in line and ".so" in line:
                        self.owners.setdefault(line.rpartition("/")[2], package)

    def owner(self, library):
        """The name and the version of the package that has a shared library, `None` if there is none."""
        package = self.owners.get(library)
        return package and (package, self.versions[package])
