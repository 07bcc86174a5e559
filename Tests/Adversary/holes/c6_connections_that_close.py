"""Processes connect to the public socket and close, without end, and other users' new connections wait behind those.
The same with the port of gpsd's protocol, where the kernel drops connections that find the queue full.

One process, then eight, each a user of its own. Others connect and call, before it and meanwhile. Beside them, a
process is asked all the time that only echoes: its delays are the machine's.
"""

import os
import socket
import struct
import tempfile
import time

import wire
from daemon import Daemon
from users import Running

MEASURES_TIMES = True
FIRST_ID = 64_900
OTHER = 64_991
SECONDS = 8
LIMIT_MS = 50
GOAL_MS = 20
PAUSE_SECONDS = 0.005


def connect_and_close(path):
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
        except OSError:
            pass
        connection.close()


def connect_and_reset(port):
    # Without a closed connection that lingers in the kernel, and keeps a port.
    reset = struct.pack("ii", 1, 0)
    while True:
        connection = socket.socket()
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            connection.connect(("127.0.0.1", port))
        except OSError:
            pass
        connection.close()


def call(path):
    wire.call_once(path, wire.LOCATION + ".GetAuthorization", timeout_seconds=10)


def greet(port):
    """Connects, and waits for the greeting or a refusal."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        if not connection.recv(1):
            raise ConnectionError("closed without a word")


def call_often(call, address):
    """Returns the milliseconds of each call on a connection of its own, and None for those that failed."""
    times, end = [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        start = time.monotonic()
        try:
            call(address)
            times.append((time.monotonic() - start) * 1000)
        except (OSError, wire.Late, wire.Closed, wire.Refused):
            times.append(None)
        time.sleep(0.01)
    return times


def echo_often():
    """Returns the greatest number of milliseconds that an echo took, asked 200 times a second.

    Asked beside each call alone, it would miss nearly all of the moments in which the machine does something else.
    """
    greatest, end = 0, time.monotonic() + SECONDS
    ours, theirs = socket.socketpair()
    if not (echo := os.fork()):
        ours.close()
        while data := theirs.recv(1):
            theirs.send(data)
        os._exit(0)
    theirs.close()
    while time.monotonic() < end:
        start = time.monotonic()
        # The sleep counts: who waits for the processor is late as well.
        time.sleep(PAUSE_SECONDS)
        ours.send(b"?")
        ours.recv(1)
        greatest = max(greatest, (time.monotonic() - start - PAUSE_SECONDS) * 1000)
    ours.close()
    os.waitpid(echo, 0)
    return greatest


def summary(times):
    """Returns the 99th percentile and the greatest of the times, in milliseconds, and the number of failures."""
    answered = sorted(time for time in times if time is not None)
    if not answered:
        return float("inf"), float("inf"), len(times)
    return answered[int(len(answered) * 0.99)], answered[-1], len(times) - len(answered)


def attack(bin):
    if os.geteuid() != 0:
        return "not carried out: needs root", None
    results = {"Unix": flood(bin, connect_and_close, call), "TCP": flood(bin, connect_and_reset, greet, free_port())}
    faults = [f"{name}: {fault}" for name, (_, fault) in results.items() if fault]
    return "; ".join(f"{name}: {figure}" for name, (figure, _) in results.items()), "; ".join(faults) or None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def flood(bin, connect, call, port=None):
    """Has processes `connect` without end at the public socket, or at a port for clients of gpsd. Returns what was
    measured, and a fault or None."""
    phases = {}
    configuration = f'[gpsd]\nlisten = ["127.0.0.1:{port}"]\n' if port else ""
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        os.chmod(folder, 0o755)
        daemon = Daemon(bin / "locationd", folder, "simulated", configuration=configuration)
        address = port or daemon.location
        attackers = []
        try:
            os.chmod(daemon.runtime, 0o755)
            for count in (0, 1, 8):
                attackers += [Running(FIRST_ID + index, connect, address)
                              for index in range(len(attackers), count)]
                time.sleep(1)
                before = daemon.processor_seconds()
                echo = Running(OTHER + 1, echo_often)
                times = Running(OTHER, call_often, call, address).result() or [None]
                control = echo.result() or 0
                share = (daemon.processor_seconds() - before) / SECONDS
                phases[count] = (*summary(times), share, control)
        finally:
            for attacker in attackers:
                attacker.stop()
            daemon.stop()
    figure = "; ".join(
        f"{count} processes: {p99:.0f} ms (99 %), {worst:.0f} at most, {failed} failed, {share:.0%} of a processor, "
        f"an echo {control:.0f} ms at most" for count, (p99, worst, failed, share, control) in phases.items())
    faults = [f"beside {count} processes, {failed} calls of others failed, and the slowest took {worst - control:.0f} "
              "ms more than the slowest echo"
              for count, (_, worst, failed, _, control) in phases.items() if failed or worst > control + LIMIT_MS]
    slow = [f"the 99th percentile beside {count} processes is more than {GOAL_MS} ms above the control"
            for count, (p99, *_) in phases.items() if p99 > phases[0][0] + GOAL_MS]
    return figure, "; ".join(faults + slow) or None
