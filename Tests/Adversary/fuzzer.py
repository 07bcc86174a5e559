"""The load: sends fuzzed calls until SIGTERM, then prints a summary as JSON.

Usage: fuzzer.py SEED FIRST STEP LAST FOLDER LOCATION-SOCKET MANAGE-SOCKET DEFINITIONS PROGRESS

It carries out the connections FIRST, FIRST + STEP and so on, before LAST (0: without end), and stores the number of the
current one in the file PROGRESS, 8 bytes long.
"""

import json
import mmap
import os
import signal
import sys

from conversations import Conversations
from plan import FOLDER, Plan


class End(Exception):
    """SIGTERM arrived."""


def end(*_):
    raise End


def main():
    seed, first, step, last, folder, location, manage, definitions, progress = sys.argv[1:]
    signal.signal(signal.SIGTERM, end)
    # The load yields to the measurements: a late reply is the daemon's fault, not the scheduler's.
    os.nice(5)
    with open(progress, "r+b") as file:
        present = mmap.mmap(file.fileno(), 8)
    plan = Plan(seed, definitions)
    conversations = Conversations(lambda interface: manage if interface is plan.manage else location)
    number, fault = int(first), None
    try:
        while not int(last) or number < int(last):
            present[:] = number.to_bytes(8, "little")
            random, interface, kind, frames = plan.connection(number)
            frames = [frame.replace(FOLDER.encode(), folder.encode()) for frame in frames]
            conversations.carry_out(random, interface, kind, frames)
            number += int(step)
    except End:
        pass
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    print(json.dumps({"frames": conversations.frames, "replies": conversations.replies, "fault": fault}), flush=True)


main()
