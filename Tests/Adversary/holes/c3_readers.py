"""Idle readers of locationd-nmea keep out others; after a revocation one that took nothing reads what waited for it.

What its own kernel holds by then it can read, as the manual says.
"""

import os
import socket
import tempfile
import threading
import time

from daemon import Daemon
from nmea import Addresses, Instances
from receiver import Receiver
from users import Running
import wire

FIRST_ID, OTHER, IDLE, SECONDS = 64_900, 64_991, 64, 15


def hold(port):
    """Opens as many connections as it can, and keeps them."""
    held = []
    while True:
        try:
            if len(held) < IDLE:
                held.append(socket.create_connection(("127.0.0.1", port), 2))
        except OSError:
            pass
        time.sleep(0.01)


def read(port, seconds):
    """Returns the number of fixes that a reader gets who tries again."""
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end and not count:
        try:
            with socket.create_connection(("127.0.0.1", port), 2) as connected:
                connected.settimeout(2)
                count += fixes(connected.recv(4096))
        except OSError:
            time.sleep(0.1)
    return count


def fixes(data):
    return sum(b"GGA," in line and b",N," in line for line in data.split(b"\n"))


def rest(connected):
    """Returns the number of fixes that are left to read on a connection."""
    data, end = b"", time.monotonic() + 10
    connected.settimeout(2)
    try:
        while time.monotonic() < end and (more := connected.recv(65536)):
            data += more
    except OSError:
        pass
    return fixes(data)


def attack(bin):
    if os.geteuid() != 0:
        return "not carried out: needs root", None
    receiver = Receiver()
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        os.chmod(folder, 0o755)
        daemon = Daemon(bin / "locationd", folder, receiver.specification)
        addresses = Addresses(folder).choose()
        instances = Instances(daemon, addresses)
        is_over = threading.Event()
        writer = threading.Thread(target=write, args=(receiver, is_over))
        writer.start()
        attacker = Running(FIRST_ID, hold, addresses.serving)
        try:
            time.sleep(3)
            got = Running(OTHER, read, addresses.serving, 30).result()
            attacker.stop()
            lazy = socket.socket()
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
            lazy.connect(("127.0.0.1", addresses.serving))
            time.sleep(SECONDS)
            held = fixes(lazy.recv(1 << 20, socket.MSG_PEEK))
            identity = next(each.identity for each in instances.all if each.name == "serving-port")
            wire.call_once(daemon.manage, wire.MANAGE + ".Revoke", {"app": identity, "uid": os.getuid()})
            time.sleep(2)
            late = rest(lazy)
        finally:
            is_over.set()
            writer.join()
            attacker.stop()
            faults = instances.stop()
            daemon.stop()
            receiver.close()
    figure = (f"beside {IDLE} idle readers another user reads {got} fixes; of {SECONDS * 10} fixes, the kernel of a "
              f"reader that took none held {held}, and {late} were read after the revocation")
    if not got:
        faults.append("idle readers keep out another user's")
    if late > held:
        faults.append("what was not sent at the revocation is read afterwards")
    return figure, "; ".join(faults) or None


def write(receiver, is_over):
    """Writes ten epochs a second."""
    while not is_over.wait(0.1):
        receiver.write_epoch()
