#!/usr/bin/env python3
"""Compiles one use of each symbol in symbols.tsv, in Swift 5 and in Swift 6 mode, and prints a table of their states.

Usage: symbols.py MODULES, the folder with CoreLocation.swiftmodule and Contacts.swiftmodule. The exit status is 1 if a
state differs from the list. Or: symbols.py --page, which prints the page of the documentation about the symbols'
behaviour on Linux.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parent
# The package manager passes it to all dependents of the library.
MODULE_MAP = FOLDER.parents[3] / "Sources/Client/CCoreLocation/include/module.modulemap"
MODES = ("5", "6")
# Sendability is checked in Swift 6 mode only.
EXPECTED = {("unchecked", "5"): "available", ("unchecked", "6"): "absent"}
# Not about a symbol, but about the import.
ADVICE = "add '@preconcurrency'"
DIAGNOSTIC = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?P<kind>error|warning): (?P<text>.*)$", re.M)


def rows():
    """Yields line number, tier, symbol, expected state, use and behaviour of each symbol."""
    for number, line in enumerate((FOLDER / "symbols.tsv").read_text().splitlines(), start=1):
        if line and not line.startswith("#"):
            yield number, *(line.split("\t") + [""])[:5]


def symbols():
    """Yields line number, tier, symbol, expected state and use of each symbol."""
    for number, tier, symbol, state, use, _ in rows():
        yield number, tier, symbol, state, use


def typecheck(mode, modules, *files):
    """Returns the compiler's errors and warnings as file, line, kind and text."""
    command = ["swiftc", "-typecheck", "-swift-version", mode, "-I", modules, "-Xcc", f"-fmodule-map-file={MODULE_MAP}"]
    command += map(str, files)
    result = subprocess.run(command, capture_output=True, text=True)
    found = [match.groups() for match in DIAGNOSTIC.finditer(result.stderr)]
    if result.returncode != 0 and not any(kind == "error" for _, _, kind, _ in found):
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr}")
    return found


def state(diagnostics):
    """Returns the state of a symbol according to the diagnostics of its use."""
    if not diagnostics:
        return "available"
    if all(kind == "warning" and "deprecated" in text for _, _, kind, text in diagnostics):
        return "deprecated"
    # In Swift 5 mode, a missing Sendable conformance is only a warning.
    if all(kind == "error" or "Sendable" in text for _, _, kind, text in diagnostics):
        return "absent"
    return "warns"


PAGE_BEGINNING = """\
# What your code gets here, symbol by symbol

Look up what a symbol of Core Location does on Linux, where it differs from iOS.

## Overview

Everything in this list compiles. A symbol *as on iOS* behaves as Apple documents it; <doc:ComingFromIOS> describes the
differences that concern more than one symbol. Deprecated symbols are those that Apple has deprecated before iOS 26.
This page is made from the list of symbols that the tests compile.
"""
# A symbol, or a conformance. The list also has forms of the language, such as the casts of errors.
NAMED = re.compile(r"(?P<owner>C[LN]\w+(?:\.[A-Z]\w*)*)(?:\.(?P<member>[a-z_]\w*(?:\(.*\))?(?: async)?)"
                   r"|: (?P<protocol>[\w, ]+))")
# Keeps a name on one line of a paragraph.
NO_BREAK = "\u00a0"
FREE = re.compile(r"k?CL\w+(?:\(.*\))?")


TITLES = (("conformance", "Superclasses and protocols, as on iOS"), ("available", "As on iOS"),
          ("deprecated", "As on iOS, and deprecated"))


def quoted(names):
    """Returns names in Markdown, as a list in a sentence."""
    return ", ".join(f"`{name}`".replace(" ", NO_BREAK) for name in names)


def wrapped(text):
    """Returns a paragraph in lines of at most 120 columns."""
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False).replace(NO_BREAK, " ")


def page():
    """Returns the page about the behaviour of each symbol, in Markdown."""
    groups = {}
    lacking = []
    for _, tier, symbol, state, _, behaviour in rows():
        named = NAMED.fullmatch(symbol)
        if tier == "-":
            if named:
                lacking.append(symbol)
        elif named:
            kind = "conformance" if named["protocol"] else state
            groups.setdefault(named["owner"], []).append((named["member"] or named["protocol"], kind, behaviour))
        elif FREE.fullmatch(symbol):
            groups.setdefault("Constants, functions and type aliases", []).append((symbol, state, behaviour))
    parts = [PAGE_BEGINNING]
    for owner, members in groups.items():
        parts.append(f"## {owner}\n")
        for kind, title in TITLES:
            same = [name for name, found, behaviour in members if found == kind and not behaviour]
            if same:
                parts.append(wrapped(f"{title}: {quoted(same)}.") + "\n")
        differing = {}
        for name, _, behaviour in members:
            if behaviour:
                differing.setdefault(behaviour, []).append(name)
        if differing:
            lines = [f"| {quoted(names)} | {behaviour} |" for behaviour, names in differing.items()]
            table = "\n".join(["| symbol | here |", "|---|---|", *lines]) + "\n"
            parts.append(table.replace(NO_BREAK, " "))
    parts.append("## What Apple's types lack too\n")
    parts.append(wrapped(f"{quoted(lacking)}.") + "\n")
    return "\n".join(parts)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--page":
        return print(page(), end="")
    rows = list(symbols())
    wrong = []
    states = {}
    with tempfile.TemporaryDirectory() as scratch:
        given = pathlib.Path(scratch, "Given.swift")
        given.write_text((FOLDER / "Given.swift.txt").read_text())
        uses = pathlib.Path(scratch, "Uses.swift")
        # One function per use, whose diagnostics carry the line number in the list.
        uses.write_text("import Contacts\nimport CoreLocation\nextension Given {\n" + "".join(
            f'#sourceLocation(file: "symbols.tsv", line: {number})\nfunc use{number}() async throws {{ {use} }}\n'
            for number, _, _, _, use in rows) + "#sourceLocation()\n}\n")
        # Alone in a folder: a package that finds these modules without asking for ours must not need another one.
        alone = pathlib.Path(scratch, "modules")
        alone.mkdir()
        for module in ("CoreLocation", "Contacts"):
            shutil.copy(pathlib.Path(sys.argv[1], f"{module}.swiftmodule"), alone)
        for mode in MODES:
            found = typecheck(mode, str(alone), given, uses)
            for number, _, symbol, expected, _ in rows:
                own_diagnostics = [d for d in found if d[0] == "symbols.tsv" and int(d[1]) == number]
                states[number, mode] = state(own_diagnostics)
                if states[number, mode] != EXPECTED.get((expected, mode), expected):
                    wrong.append(f"{symbol}: expected {expected} in Swift {mode}, is {states[number, mode]}"
                                 + "".join(f"\n    {d[2]}: {d[3]}" for d in own_diagnostics))
            for file, line, kind, text in found:
                if file != "symbols.tsv" and not text.startswith(ADVICE):
                    wrong.append(f"Swift {mode}: {file}:{line}: {kind}: {text}")
            for name in ("Own.swift", "Preconcurrency.swift"):
                source = pathlib.Path(scratch, name)
                source.write_text((FOLDER / f"{name}.txt").read_text())
                for _, line, kind, text in typecheck(mode, str(alone), source):
                    wrong.append(f"Swift {mode}: {name}.txt:{line}: {kind}: {text}")
    print("| tier | symbol | Swift 5 | Swift 6 |\n|---|---|---|---|")
    for number, tier, symbol, _, _ in rows:
        print(f"| {tier} | `{symbol}` | " + " | ".join(states[number, mode] for mode in MODES) + " |")
    print(f"\n{len(rows)} symbols, {len(wrong)} not as expected")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
