"""Text for the terminal, written at once even if the output is a file."""

import os


def say(text=""):
    """Writes a line."""
    print(text, flush=True)


def machine():
    """Returns a line about the machine, on which the figures depend."""
    return f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Linux {os.uname().release}"
