#!/usr/bin/env python3
"""Prints the profile of epochs alone: the difference between the profiles of two runs with different numbers of epochs.

Both are text, as `llvm-profdata merge --text` writes it. Functions are listed if every epoch runs a part of them.

Usage: epoch_profile.py SHORTER LONGER EPOCHS
"""

import sys
from pathlib import Path


def functions(path):
    """Returns the counts of each function's blocks, and what follows them, by the function's name and its hash."""
    lines = Path(path).read_text().split("\n")
    starts = [index - 1 for index, line in enumerate(lines) if line == "# Func Hash:"]
    result = {}
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        name, code = lines[start], lines[start + 2]
        rest = start + 6 + int(lines[start + 4])
        values = "\n".join(lines[rest:end]).rstrip("\n")
        result[name, code] = [int(line) for line in lines[start + 6:rest]], values
    return result


def main():
    shorter, longer, epochs = functions(sys.argv[1]), functions(sys.argv[2]), int(sys.argv[3])
    print("# IR level Instrumentation Flag\n:ir")
    for (name, code), (counts, values) in sorted(longer.items()):
        before, _ = shorter.get((name, code), ([0] * len(counts), ""))
        counts = [max(0, count - earlier) for count, earlier in zip(counts, before)]
        # Of the first epochs two may have been read at once.
        if max(counts) < epochs * 9 // 10:
            continue
        print(name, "# Func Hash:", code, "# Num Counters:", len(counts), "# Counter Values:", *counts, sep="\n")
        # LLVM takes the next line for this number if it begins with $, as Swift's names do.
        print("# Num Bitmap Bytes:\n$0")
        if values:
            print(values)


main()
