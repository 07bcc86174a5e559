"""A byte is sent with a descriptor whose close waits, and stops the event loop.

A process without a grant sends it to each of the daemon's Unix sockets, as fast as it can. On a kernel that lets the
daemon refuse descriptors, those that were sent before the daemon began to listen are still there.
"""

import os
import socket
import tempfile
import threading
import time
from pathlib import Path

import wire
from callers import Caller, Control, judge
from daemon import Daemon, Ended
from lingering import Lingering, listener

MEASURES_TIMES = True
SECONDS = 5
GPSD = '[gpsd]\nlisten = []\nsocket = true\n'
NAMES = [wire.LOCATION, wire.MANAGE, "gpsd"]


def flood(path, end):
    """Sends descriptors until `end`. Returns how many were sent, and how many were refused."""
    sent = refused = 0
    with listener() as listening:
        others = []
        while time.monotonic() < end:
            try:
                connection = wire.connect(path)
            except (OSError, wire.Late):
                continue
            for _ in range(4):
                lingering = Lingering(listening)
                others = others[-100:] + [lingering.other]
                if lingering.hand_over(connection):
                    refused += 1
                else:
                    sent += 1
            connection.close()
    return sent, refused


def running(programs):
    """Attacks a running daemon. Returns a figure and a fault."""
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        daemon = Daemon(programs / "locationd", folder, "simulated", configuration=GPSD)
        try:
            uid = os.getuid()
            callers = [Caller.of(daemon.location, "org.varlink.service.GetInfo"),
                       Caller.of(daemon.manage, wire.MANAGE + ".Revoke", {"app": "exe:/usr/bin/foo", "uid": uid}),
                       Control()]
            for caller in callers:
                caller.start()
            end = time.monotonic() + SECONDS
            counts = []
            threads = [threading.Thread(target=lambda path=path: counts.append(flood(path, end)))
                       for path in (daemon.location, daemon.manage, str(daemon.runtime / "gpsd"))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for caller in callers:
                caller.stop()
            sent, refused = (sum(each) for each in zip(*counts))
            return callers, f"{sent} sent, {refused} refused with EPERM", daemon.stop()
        finally:
            daemon.process.kill()


def waiting(programs):
    """Attacks a daemon before it is started. Returns a figure and a fault."""
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder, listener() as listening:
        run = Path(folder) / "run"
        (run / "manage").mkdir(parents=True)
        inherited, kept = {}, []
        for name, path in zip(NAMES, (run / wire.LOCATION, run / "manage" / wire.MANAGE, run / "gpsd")):
            inherited[name] = socket.socket(socket.AF_UNIX)
            inherited[name].bind(str(path))
            inherited[name].listen(256)
            for number in range(20):
                connection = wire.connect(str(path))
                # Urgent data, a half-closed connection, one that is closed, and one that stays.
                lingering = Lingering(listening)
                lingering.hand_over(connection, socket.MSG_OOB if number % 4 == 0 else 0)
                kept += [lingering.other]
                if number % 4 == 1:
                    connection.shutdown(socket.SHUT_WR)
                if number % 4 == 2:
                    connection.close()
                else:
                    kept.append(connection)
        began = time.monotonic()
        daemon = Daemon(programs / "locationd", folder, "simulated", configuration=GPSD, inherited=inherited)
        try:
            started = time.monotonic() - began
            callers = [Caller.of(daemon.location, "org.varlink.service.GetInfo"), Control()]
            for caller in callers:
                caller.start()
            time.sleep(SECONDS)
            for caller in callers:
                caller.stop()
            return callers, f"first answers after {1000 * started:.0f} ms", daemon.stop()
        finally:
            daemon.process.kill()


def attack(programs):
    figures, faults = [], []
    for name, part in (("a running daemon", running), ("one that is not started yet", waiting)):
        try:
            callers, what, fault = part(programs)
        except (Ended, wire.Late, wire.Closed) as error:
            figures.append(f"{name}: {error}")
            faults.append(f"{name}: {error}")
            continue
        worst, late = judge(callers)
        figures.append(f"{name}: {what}; others' worst: {worst}")
        if late or fault:
            faults.append(f"{name}: {late or fault}")
    return "; ".join(figures), "; ".join(faults) or None
