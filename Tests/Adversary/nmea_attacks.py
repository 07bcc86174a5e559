"""The attacks by NMEA 0183: of senders at the port of locationd-nmea receive, and of readers of locationd-nmea serve.

Both are carried out by hosts, and by a user, that the configuration allows.
"""

import os
import socket
import threading
import time
from pathlib import Path

from nmea import Addresses
from receiver import sentence

# The bytes of one flood, after which the next one begins on another connection.
FLOOD_BYTES = 100_000_000
SLOW_CONNECTIONS = 50
SILENT_READERS = 64


def epoch(latitude, longitude):
    """Returns the bytes of a poor fix at a place in whole degrees, now.

    One that claims to be clearly better than the receiver in use takes over, as it may: who may send is believed.
    """
    clock, date = time.strftime("%H%M%S", time.gmtime()) + ".00", time.strftime("%d%m%y", time.gmtime())
    place = f"{abs(latitude):02}00.00000,{'N' if latitude >= 0 else 'S'},{longitude:03}00.00000,E"
    bodies = [f"GPRMC,{clock},A,{place},0.0,0.0,{date},,,A", f"GPGGA,{clock},{place},1,04,9.9,100.0,M,46.9,M,,"]
    return "".join(map(sentence, bodies)).encode()


def nmea_in(target):
    """Sends to the port of a receiver: slowly, without end, in bursts, against another sender, and from all over."""
    port = Addresses(Path(target.location).parent.parent).read().receiving
    run(target, port, [
        slow_senders,
        lambda target, port: flood(target, port, epoch(10, 20) * 400),
        bursts,
        lambda target, port: steady(target, port, lambda _: epoch(48, 11)),
        lambda target, port: steady(target, port, lambda _: epoch(49, 12)),
        # Nine degrees of latitude are 1,000 km.
        lambda target, port: steady(target, port, lambda count: epoch(40 + 9 * (count % 2), 11)),
    ])


def nmea_out(target):
    """Reads what is served: never, and with as many connections as there can be; and writes 100 MB to it."""
    addresses = Addresses(Path(target.location).parent.parent).read()
    terminal = str(addresses.terminal)
    run(target, addresses.serving, [
        silent_readers,
        connects,
        lambda target, port: flood(target, port, b"$PUBX,40,GLL,0,0,0,0*5C\r\n" * 2000),
        lambda target, _: silent_terminal(target, terminal),
        lambda target, _: openings(target, terminal),
        lambda target, _: terminal_flood(target, terminal),
    ])


def run(target, port, attacks):
    """Carries out attacks at the same time, without end. What fails is tried again."""
    def repeat(attack):
        while True:
            try:
                attack(target, port)
            except OSError:
                time.sleep(0.01)

    for attack in attacks:
        threading.Thread(target=repeat, args=[attack], daemon=True).start()
    while True:
        time.sleep(1)


def connect(port):
    return socket.create_connection(("127.0.0.1", port), 2)


def slow_senders(target, port):
    """Keeps connections open with a byte of a sentence a second. Those that are closed are replaced."""
    opened = []
    while True:
        while len(opened) < SLOW_CONNECTIONS:
            opened.append(connect(port))
            target.done += 1
        for each in list(opened):
            try:
                each.send(b"$")
            except OSError:
                opened.remove(each)
                each.close()
        time.sleep(1)


def flood(target, port, data):
    with connect(port) as opened:
        target.done += 1
        for _ in range(FLOOD_BYTES // len(data)):
            opened.sendall(data)


def bursts(target, port):
    """Sends 2,000 fixes at once, and leaves."""
    with connect(port) as opened:
        opened.sendall(b"".join(epoch(count % 80, count % 179) for count in range(2000)))
        target.done += 1
    time.sleep(0.2)


def steady(target, port, make):
    """Sends ten fixes a second on one connection."""
    with connect(port) as opened:
        for count in range(1000):
            opened.sendall(make(count))
            target.done += 1
            time.sleep(0.1)


def silent_readers(target, port):
    """Keeps connections open that never read. Those that are closed are replaced."""
    opened = []
    while True:
        while len(opened) < SILENT_READERS:
            reader = socket.socket()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            reader.settimeout(2)
            opened.append(reader)
            reader.connect(("127.0.0.1", port))
            target.done += 1
        time.sleep(0.2)
        for reader in opened[:8]:
            reader.close()
        del opened[:8]


def connects(target, port):
    while True:
        connect(port).close()
        target.done += 1


def open_terminal(path):
    return os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)


def silent_terminal(target, path):
    """Has the terminal open for a while, and never reads."""
    opened = open_terminal(path)
    target.done += 1
    time.sleep(3)
    os.close(opened)
    time.sleep(2)


def openings(target, path):
    """Opens the terminal and closes it as soon as the program has noticed."""
    while True:
        opened = open_terminal(path)
        time.sleep(0.002)
        os.close(opened)
        target.done += 1


def terminal_flood(target, path):
    opened = open_terminal(path)
    os.set_blocking(opened, True)
    try:
        for _ in range(FLOOD_BYTES // 4096):
            os.write(opened, b"$" * 4096)
    finally:
        os.close(opened)
    target.done += 1
