#!/usr/bin/env python3
"""Measures what locationd-nmea adds to a location's way, in one run, with the programs of a release build.

One daemon reads a pseudo-terminal, another one a TCP sender through `locationd-nmea receive`; epochs go to them by
turns. `locationd-nmea serve` serves the former's locations by TCP and by a pseudo-terminal. An app's time is that from
the write of an epoch's last bytes to the arrival of its location; a reader's is that from then to the arrival of its
sentences. Printed are medians and 99th percentiles in microseconds.
"""

import argparse
import functools
import operator
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
import tty
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "Adversary"))
import wire  # noqa: E402 (the folder is known only now)

WARM_UP = 20
#: Between the beginning of an epoch and its last byte, and between two epochs, in seconds.
PAUSE = 0.03
#: The part of an epoch that is held back. Its decoder does not wait for the line feed.
END = b"*00\r\n"
CONFIGURATION = 'discover = false\nin-use = "connected"\n'


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def sentence(body):
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n"


def epoch(index, start):
    """Returns an epoch, ten of which make a second."""
    parts = time.gmtime(start + index // 10)
    clock = f"{time.strftime('%H%M%S', parts)}.{index % 10}0"
    place = f"47{index % 60_000 / 1000:06.3f}00,N,00830.00000,E"
    return "".join(map(sentence, [
        f"GPRMC,{clock},A,{place},21.60,0.00,{time.strftime('%d%m%y', parts)},,,A",
        f"GPGGA,{clock},{place},1,05,0.90,545.4,M,46.9,M,,"])).encode()


def until(condition, what):
    deadline = time.monotonic() + 60
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise SystemExit(f"timed out waiting for {what}")
        time.sleep(0.02)
    return found


class Daemon:
    """A locationd with one receiver, and a subscription to it."""

    def __init__(self, programs, folder, receiver, configuration=""):
        folder.mkdir(exist_ok=True)
        (folder / "locationd.toml").write_text(CONFIGURATION + configuration)
        self.runtime, self.log = folder / "run", open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [programs / "locationd", "--config", folder / "locationd.toml", "--runtime-directory", self.runtime,
             "--state-directory", folder / "state", *(["--receiver", receiver] if receiver else [])],
            stdout=self.log, stderr=self.log)
        self.manage = str(self.runtime / "manage" / wire.MANAGE)
        until(lambda: os.path.exists(self.manage), "locationd")
        connection = wire.Connection(wire.connect(str(self.runtime / wire.LOCATION)))
        connection.call(f"{wire.LOCATION}.GetAuthorization")
        self.grant_all()
        self.app = connection
        connection.send(f"{wire.LOCATION}.Subscribe", {"options": {"pausesAutomatically": False}}, more=True)

    def grant_all(self):
        """Grants the location to whoever is connected."""
        for app in wire.call_once(self.manage, f"{wire.MANAGE}.ListApps", {"uid": os.getuid()})["apps"]:
            wire.call_once(self.manage, f"{wire.MANAGE}.Grant",
                           {"app": app["app"], "uid": os.getuid(), "level": "always", "accuracy": "full"})


def serve(programs, folder, daemon, target, more=""):
    """Starts an instance that serves, and grants the location to it."""
    (folder / "output.toml").write_text(f'to = "{target}"\n{more}')
    environment = os.environ | {"LOCATIOND_RUNTIME_DIRECTORY": str(daemon.runtime)}
    process = subprocess.Popen([programs / "locationd-nmea", "serve", "--config", folder / "output.toml"],
                               env=environment, stdout=daemon.log, stderr=daemon.log)
    time.sleep(1)
    daemon.grant_all()
    return process


def measure(write, data, readers):
    """Writes an epoch. Returns the time in seconds at which each reader got a location, by name."""
    write(data[:-len(END)])
    time.sleep(PAUSE)
    begin = time.perf_counter()
    write(data[-len(END):])
    times, deadline = {}, begin + 2
    while len(times) < len(readers) and (rest := deadline - time.perf_counter()) > 0:
        waiting = [reader for name, reader in readers.items() if name not in times]
        ready = select.select(waiting, [], [], rest)[0]
        now = time.perf_counter()
        for name, reader in readers.items():
            if reader in ready and drain(reader):
                times[name] = now - begin
    return times


def drain(reader):
    """Reads what is there. Returns whether it has a location."""
    try:
        data = os.read(reader.fileno(), 65536)
    except BlockingIOError:
        return False
    return b'"latitude"' in data or b",A,47" in data


def main(programs, count):
    programs = Path(programs).resolve()
    with tempfile.TemporaryDirectory(prefix="latency-") as name:
        folder = Path(name)
        processes = []
        controller, port = os.openpty()
        tty.setraw(port)
        serial = Daemon(programs, folder / "serial", f"serial:{os.ttyname(port)}")
        number = free_port()
        network = folder / "network"
        network.mkdir()
        (network / "input.toml").write_text(f'from = "tcp-listen://127.0.0.1:{number}"\nallow = ["127.0.0.1"]\n')
        processes.append(subprocess.Popen([programs / "locationd-nmea", "receive", "--config", network / "input.toml",
                                           "--socket", network / "socket"]))
        until(lambda: (network / "socket").exists(), "the relay")
        remote = Daemon(programs, network, f"socket:{network / 'socket'}")
        sender = until(lambda: connected(number), "the relay's port")
        output = free_port()
        terminal = folder / "tty"
        processes += [serve(programs, folder, serial, f"tcp://127.0.0.1:{output}", 'allow = ["127.0.0.1"]\n'),
                      serve(programs, folder, serial, f"pty:{terminal}")]
        reader = until(lambda: connected(output), "the port")
        until(terminal.is_symlink, "the terminal")
        file = open(terminal, "rb", buffering=0, opener=lambda path, flags: os.open(path, flags | os.O_NOCTTY))
        os.set_blocking(file.fileno(), False)
        time.sleep(1)
        everybody = [serial.app, reader, file, remote.app]

        def write(data):
            os.write(controller, data)

        # One reader beside the app: the script's work for another one would count.
        ways = [
            ("serial", write, {"app": serial.app, "reader by TCP": reader}),
            ("TCP", sender.sendall, {"app": remote.app}),
            ("serial", write, {"app": serial.app, "reader by pty": file}),
        ]
        results, start = {}, int(time.time()) - count // 5
        for index in range(WARM_UP + count):
            for number, (way, write, readers) in enumerate(ways):
                for one in everybody:
                    drain(one)
                # Two of the three go to the same daemon, which takes no epoch twice.
                times = measure(write, epoch(2 * index + number // 2, start), readers)
                if index < WARM_UP or len(times) < len(readers):
                    continue
                for who, seconds in times.items():
                    what = f"{way}: {who}" if who == "app" else f"{who}, after the app"
                    since = 0 if who == "app" else times["app"]
                    results.setdefault(what, []).append((seconds - since) * 1e6)
        for what, times in results.items():
            times.sort()
            print(f"{what:28} {times[len(times) // 2]:7.0f} {times[len(times) * 99 // 100]:7.0f}  of {len(times)}")
        for process in [*processes, serial.process, remote.process]:
            process.terminate()
            process.wait()


def connected(number):
    """Returns a connection to a port of this machine, or None."""
    try:
        connection = socket.create_connection(("127.0.0.1", number))
    except ConnectionRefusedError:
        return None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setblocking(False)
    return connection


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="the programs of a release build")
    parser.add_argument("epochs", type=int, nargs="?", default=1000)
    arguments = parser.parse_args()
    main(arguments.folder, arguments.epochs)
