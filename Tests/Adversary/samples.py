"""Measured times, and their cells in a table."""

import math


class Samples:
    """Times in milliseconds. `lost` is the number of events that never came."""

    def __init__(self):
        self.milliseconds = []
        self.lost = 0
        # The longest time, or NaN before the first one.
        self.greatest = math.nan

    def add(self, seconds):
        self.milliseconds.append(seconds * 1000)
        # In this order, the first time replaces NaN.
        self.greatest = max(seconds * 1000, self.greatest)

    def percentile(self, percent):
        """Returns the time that `percent` percent of the events did not exceed. A lost event counts as infinite."""
        ordered = sorted(self.milliseconds) + [math.inf] * self.lost
        return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)] if ordered else math.nan

    def cells(self):
        """Returns the cells of a table: count, median, 99 %, greatest, lost."""
        times = [f"{time:.1f}" for time in (self.percentile(50), self.percentile(99), self.greatest)]
        return [str(len(self.milliseconds)), *times, str(self.lost)]


CELLS = ["events", "median ms", "99 % ms", "max ms", "lost"]


def table(rows):
    """Returns rows of cells as text in columns; the first row is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths))
        lines.append("  ".join([row[0].ljust(widths[0]), *rest]))
    return "\n".join(lines)
