"""Waiting for events, never longer than said."""

import time


class Late(Exception):
    """What was waited for did not happen in time."""


class Deadline:
    """A moment by which something must have happened, on this machine's monotonic clock."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def remaining(self, what):
        """The seconds that are left to wait for `what`; raises Late when there are none."""
        rest = self.end - time.monotonic()
        if rest <= 0:
            raise Late(f"waited in vain for {what}")
        return rest
