"""Compares two folders of packages byte for byte, and names the files in them that differ. Status 1 if any does."""

import argparse
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

PARTS = {"control": "--ctrl-tarfile", "files": "--fsys-tarfile"}


def entries(package, part):
    """The entries of a part of a package, in their order: what is compared of each, by its name."""
    tar = subprocess.run(["dpkg-deb", PARTS[part], package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(tar)) as archive:
        return {
            entry.name: {
                "type": entry.type, "link": entry.linkname, "mode": oct(entry.mode), "time": entry.mtime,
                "owner": f"{entry.uname}:{entry.gname}",
                "contents": archive.extractfile(entry).read() if entry.isfile() else b"",
            } for entry in archive}


def difference(one, other):
    """What differs between two entries of the same name, in words."""
    words = [f"{key} {one[key]}, {other[key]}" for key in one if key != "contents" and one[key] != other[key]]
    first, second = one["contents"], other["contents"]
    if first != second:
        place = next((index for index, pair in enumerate(zip(first, second)) if pair[0] != pair[1]),
                     min(len(first), len(second)))
        words.append(f"contents from byte {place} on, of {len(first)} and {len(second)}")
    return "; ".join(words)


def differences(one, other):
    """The lines about two packages of the same name whose bytes differ."""
    lines = []
    for part in PARTS:
        first, second = entries(one, part), entries(other, part)
        lines += [f"{name}: only in one of them" for name in sorted(first.keys() ^ second.keys())]
        lines += [f"{name}: {words}" for name in first if name in second
                  if (words := difference(first[name], second[name]))]
        if first.keys() == second.keys() and list(first) != list(second):
            lines.append(f"{part}: in another order")
    return lines or ["the same files, packed in another way"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs=2, type=Path)
    one, other = parser.parse_args().folders
    names = sorted({path.name for folder in [one, other] for path in folder.glob("*.deb")})
    if not names:
        sys.exit("there are no packages")
    faults = 0
    for name in names:
        if not ((one / name).exists() and (other / name).exists()):
            lines = ["only in one of the folders"]
        elif (one / name).read_bytes() == (other / name).read_bytes():
            continue
        else:
            lines = differences(one / name, other / name)
        faults += 1
        print("\n".join([name, *(f"    {line}" for line in lines)]))
    print(f"{len(names)} packages, {faults} differ")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
