"""The report of a run: the duration of each step, and the measured figures."""

import contextlib
import sys
import time

from deadline import SLOWNESS


class Report:
    """Writes a report to the terminal and to a file."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")
        self.beginning = time.monotonic()
        self.figures = []

    def say(self, text):
        """Writes a line."""
        for output in (sys.stdout, self.file):
            print(text, file=output, flush=True)

    @contextlib.contextmanager
    def step(self, title):
        """Reports the duration of the enclosed step and whether it passed."""
        began = time.monotonic()
        passed = False
        try:
            yield
            passed = True
        finally:
            now = time.monotonic()
            self.say(f"{now - self.beginning:7.1f} s  {'passed' if passed else 'FAILED'}  "
                     f"{title} ({now - began:.1f} s)")

    def measured(self, what, seconds, at_most=None):
        """Records a duration. Raises AssertionError if it exceeds `at_most`, unless the machine is a slow one."""
        if SLOWNESS > 1:
            what, at_most = f"{what}, emulated", None
        limit = "" if at_most is None else f", at most {at_most} s"
        self.figure(f"{what}: {seconds:.2f} s{limit}")
        assert at_most is None or seconds <= at_most, f"{what} took {seconds:.2f} s{limit}"

    def figure(self, text):
        """Writes a figure at once, and records it for the summary."""
        self.figures.append(text)
        self.say(f"           {text}")

    def summary(self, passed):
        """Writes the end of the report: all figures and the result."""
        self.say("")
        for text in self.figures:
            self.say(text)
        result = "all steps passed" if passed else "the run FAILED"
        self.say(f"{result} after {time.monotonic() - self.beginning:.0f} s")
