"""What is told of a run: each step with its time, and the figures that were measured."""

import contextlib
import sys
import time


class Report:
    """Writes to the terminal and to a file."""

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
        """Tells how long what is done within took, and whether it went well."""
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
        """Notes a time; raises AssertionError where it is longer than it may be."""
        limit = "" if at_most is None else f", at most {at_most} s"
        self.figure(f"{what}: {seconds:.2f} s{limit}")
        assert at_most is None or seconds <= at_most, f"{what} took {seconds:.2f} s{limit}"

    def figure(self, text):
        """Notes a figure, for the step and for the summary."""
        self.figures.append(text)
        self.say(f"           {text}")

    def summary(self, passed):
        """The end of the run."""
        self.say("")
        for text in self.figures:
            self.say(text)
        result = "all steps passed" if passed else "the run FAILED"
        self.say(f"{result} after {time.monotonic() - self.beginning:.0f} s")
