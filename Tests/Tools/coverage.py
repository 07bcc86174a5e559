#!/usr/bin/env python3
"""Prints the line coverage of each module in Sources, from the JSON summary that `llvm-cov export` writes.

Usage: llvm-cov export -summary-only ... | coverage.py [--files MODULE]
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

SOURCES = f"{Path(__file__).resolve().parents[2]}/Sources/"
LEAST = 85.0


def module_and_file(path):
    if not path.startswith(SOURCES):
        return None
    _, module, file = path.removeprefix(SOURCES).split("/", 2)
    return module, file


def main():
    shown = sys.argv[2] if sys.argv[1:2] == ["--files"] else None
    modules = defaultdict(list)
    for entry in json.load(sys.stdin)["data"][0]["files"]:
        found = module_and_file(entry["filename"])
        if found:
            lines = entry["summary"]["lines"]
            modules[found[0]].append((found[1], lines["covered"], lines["count"]))
    for module, files in sorted(modules.items()):
        covered, count = (sum(file[column] for file in files) for column in (1, 2))
        share = 100 * covered / count if count else 100
        print(f"{module:22} {covered:6} of {count:6} lines  {share:5.1f} %{'' if share >= LEAST else '  low'}")
        if shown == module:
            for name, covered, count in sorted(files, key=lambda file: file[1] - file[2]):
                if covered < count:
                    print(f"    {name:56} {covered:5} of {count:5}")


main()
