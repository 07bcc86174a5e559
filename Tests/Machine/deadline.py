"""Deadlines for waiting."""

import os
import time

#: How many times slower than a machine of the host's own architecture this one is: every wait is that much longer, and
#: durations are stated without a limit.
SLOWNESS = int(os.environ.get("SLOWNESS", "1"))


class Late(Exception):
    """An awaited event did not happen in time."""


class Deadline:
    """A deadline on this machine's monotonic clock."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds * SLOWNESS

    def remaining(self, what):
        """Returns the seconds left to wait for `what`. Raises Late if there are none."""
        rest = self.end - time.monotonic()
        if rest <= 0:
            raise Late(f"timed out waiting for {what}")
        return rest
