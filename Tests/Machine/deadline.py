"""Deadlines for waiting."""

import time


class Late(Exception):
    """An awaited event did not happen in time."""


class Deadline:
    """A deadline on this machine's monotonic clock."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def remaining(self, what):
        """Returns the seconds left to wait for `what`. Raises Late if there are none."""
        rest = self.end - time.monotonic()
        if rest <= 0:
            raise Late(f"timed out waiting for {what}")
        return rest
