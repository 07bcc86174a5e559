"""Tries the settings of receivers with the real daemon and emulated receivers: `python3 Tests/Receivers FOLDER`.

FOLDER has the programs. Each case is a function of cases.py; all run unless some are named. See `make test-receivers`.
`python3 Tests/Receivers selftest` tries the emulated receivers without the daemon, in two seconds.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import cases
import selftest


def run(case, *folder):
    """Runs a case. Returns whether it passed."""
    start = time.monotonic()
    try:
        figure, fault = case(*folder), None
    except Exception as error:
        notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", []))
        figure, fault = None, f"{type(error).__name__}: {error}{notes}"
    print(f"{'FAILED' if fault else 'ok'} {case.__name__} ({time.monotonic() - start:.0f} s): "
          f"{fault or figure or case.__doc__}", flush=True)
    return not fault


def main():
    parser = argparse.ArgumentParser(prog="Tests/Receivers", description=__doc__.partition("\n\n")[2])
    parser.add_argument("folder", help="the folder of the programs, or `selftest`")
    parser.add_argument("cases", nargs="*", help="the cases to run")
    arguments = parser.parse_args()
    folder = () if arguments.folder == "selftest" else (arguments.folder,)
    chosen = [case for case in (cases.CASES if folder else selftest.TESTS)
              if not arguments.cases or case.__name__ in arguments.cases]
    # Most of their time, the cases wait.
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(lambda case: run(case, *folder), chosen))
    sys.exit(0 if all(results) and results else 1)


main()
