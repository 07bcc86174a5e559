"""Single attacks that once succeeded, each carried out against the real programs: the files of the folder holes."""

import concurrent.futures
import importlib.util
import multiprocessing
import sys
import time
from pathlib import Path

from report import machine, say

FOLDER = Path(__file__).parent / "holes"


def names():
    """Returns the names of all attacks."""
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def load(name):
    """Returns the module of an attack."""
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def carry_out(name, programs):
    """Carries out an attack. Returns its figure, its fault or None, and its duration in seconds."""
    began = time.monotonic()
    figure, fault = load(name).attack(programs)
    return figure, fault, time.monotonic() - began


def results(selected, programs):
    """Carries out attacks, and yields the name and the result of each. Those that measure times are alone on the
    machine, one after the other. All others mostly wait, and do so together."""
    timed = [name for name in selected if hasattr(load(name), "MEASURES_TIMES")]
    for name in timed:
        yield name, carry_out(name, programs)
    others = [name for name in selected if name not in timed]
    if not others:
        return
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(len(others), mp_context=fork) as processes:
        yield from zip(others, processes.map(carry_out, others, [programs] * len(others)), strict=True)


def run(options):
    """Carries out the selected attacks. Returns whether one of them succeeded."""
    say(machine())
    sys.path.insert(0, str(FOLDER.parent))
    succeeded = 0
    for name, (figure, fault, seconds) in results(options.only or names(), Path(options.programs).resolve()):
        say(f"\n== {name}: {load(name).__doc__.partition(chr(10))[0]}")
        say(f"{figure} ({seconds:.0f} s)")
        if fault:
            succeeded += 1
            say(f"FINDING: {fault}")
    say(f"\n{succeeded or 'no'} finding{'' if succeeded == 1 else 's'}")
    return succeeded > 0
