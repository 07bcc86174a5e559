"""Waiting for what other processes do."""

import time


class Late(Exception):
    """An awaited event did not happen in time."""


def until(condition, what, timeout_seconds=90):
    """Waits until `condition()` returns something, and returns it. Raises Late."""
    deadline = time.monotonic() + timeout_seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Late(f"timed out waiting for {what() if callable(what) else what}")
        time.sleep(0.05)
    return found
