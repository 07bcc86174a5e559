"""Single attacks that once succeeded, each carried out against the real programs: the files of the folder holes."""

import importlib.util
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


def run(options):
    """Carries out the selected attacks. Returns whether one of them succeeded."""
    say(machine())
    programs = Path(options.programs).resolve()
    sys.path.insert(0, str(FOLDER.parent))
    succeeded = 0
    for name in options.only or names():
        module = load(name)
        say(f"\n== {name}: {module.__doc__.partition(chr(10))[0]}")
        began = time.monotonic()
        figure, fault = module.attack(programs)
        say(f"{figure} ({time.monotonic() - began:.0f} s)")
        if fault:
            succeeded += 1
            say(f"FINDING: {fault}")
    say(f"\n{succeeded or 'no'} finding{'' if succeeded == 1 else 's'}")
    return succeeded > 0
