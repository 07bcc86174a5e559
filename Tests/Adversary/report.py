"""Text for the terminal, at once even where the output is a file."""

import os


def say(text=""):
    """Writes a line."""
    print(text, flush=True)


def machine():
    """Returns a line about the machine, as the figures depend on it."""
    return f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Linux {os.uname().release}"
