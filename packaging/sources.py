"""Makes one file of the sources and those of the packages of Swift that they need: locationd-VERSION.tar.xz.

The packages are in vendor/, and each manifest names them by their folders, so that the package manager needs neither
git nor a network. The file has the commit that is checked out; the same commit makes the same file.
"""

import argparse
import io
import lzma
import re
import sys
import tarfile
from pathlib import Path

from commit import PROJECT, git, pins, seconds

#: A dependency by its address, to the parenthesis that closes it.
DEPENDENCY = re.compile(r'\.package\(\s*(?:name: *"[^"]*",\s*)?url: *"([^"]+)"(?:[^()"]|"[^"]*"|\([^()]*\))*\)')
MANIFEST = re.compile(r"Package(@swift-[\d.]+)?\.swift")


def archive(folder, commit):
    """The files of a commit: each with its entry in git's archive and its bytes."""
    with tarfile.open(fileobj=io.BytesIO(git(folder, "archive", "--format=tar", commit))) as tar:
        return [(entry, tar.extractfile(entry).read() if entry.isfile() else b"") for entry in tar if not entry.isdir()]


def with_folders(manifest, folder, packages):
    """A manifest that names packages by their folders in `folder` instead of their addresses."""
    def replace(found):
        name = found[1].removesuffix(".git").rpartition("/")[2]
        return f'.package(path: "{folder}/{name}")' if name in packages else found[0]
    return DEPENDENCY.sub(replace, manifest.decode()).encode()


def collect(packages):
    """The files of the tarball, by their paths in it."""
    files = {entry.name: (entry, data) for entry, data in archive(PROJECT, "HEAD")}
    entry, data = files["Package.swift"]
    data = with_folders(data, "vendor", packages)
    if b"url:" in data:
        sys.exit("Package.swift names a package by its address that Package.resolved does not have")
    files["Package.swift"] = (entry, data)
    for pin in packages.values():
        for entry, data in archive(pin.folder, pin.revision):
            if MANIFEST.fullmatch(entry.name):
                data = with_folders(data, "..", packages)
            files[f"vendor/{pin.name}/{entry.name}"] = (entry, data)
    versions = "".join(f"{pin.name} {pin.version} {pin.revision} {pin.address}\n" for pin in packages.values())
    files["vendor/VERSIONS"] = (tarfile.TarInfo(), versions.encode())
    return files


def write(path, top, files):
    """Writes the tarball, with the files in the order of their names, all of root and of the commit's time."""
    time = seconds()
    with lzma.open(path, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        for name, (entry, data) in sorted(files.items()):
            written = tarfile.TarInfo(f"{top}/{name}")
            written.type, written.linkname, written.size, written.mtime = entry.type, entry.linkname, len(data), time
            written.mode = 0o755 if entry.mode & 0o100 else 0o644
            written.uname = written.gname = "root"
            tar.addfile(written, io.BytesIO(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the file is written")
    parser.add_argument("version")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    top = f"locationd-{arguments.version}"
    path = arguments.folder / f"{top}.tar.xz"
    files = collect(pins())
    write(path, top, files)
    print(f"{path}: {len(files)} files, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
