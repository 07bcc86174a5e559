#!/usr/bin/env python3
"""Measures corrections in one run: `corrections.py FOLDER [--seconds N] [--slow N]`, with the programs of a release
build in FOLDER.

A caster by script sends MSM7 of five constellations five times a second to the real locationd-ntrip, which passes them
on to the real locationd and so to a u-blox F9P by script at a pseudo-terminal. Printed are the delays and the share of
a processor that each program needs. Then the caster sends a list of a gigabyte, corrections at 100 MB a second, and one
byte a second.
"""

import argparse
import os
import random
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

from nmea_latency import Daemon, drain, epoch, free_port, until

sys.path.append(str(Path(__file__).parent.parent / "Receivers"))
from made_frames import measurements, ubx  # noqa: E402 (the folder is known only now)

SYSTEMS = (1077, 1087, 1097, 1117, 1127)
RATE = 5
#: An MSM7 of ten satellites with two signals each.
PAYLOAD = 390
REFERENCE = bytes.fromhex("d300133ed7d30202980edeef34b4bd62ac0941986f33360b98")
CONFIGURATION = '[corrections]\nenabled = true\n[[receiver]]\nsource = "serial:{}@460800"\nprofile = "ublox"\n'
QUESTION = bytes.fromhex("b5620a0400000e34")
IDENTITY = ubx(0x0A04, b"".join(text.encode().ljust(length, b"\0") for text, length in (
    ("EXT CORE 1.00", 30), ("00190000", 10), ("FWVER=HPG 1.32", 30), ("PROTVER=27.31", 30), ("MOD=ZED-F9P", 30))))


class Receiver:
    """An F9P: it says who it is, has a fix a second, and notes when corrections arrive."""

    def __init__(self):
        self._line, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        #: The first byte of the first correction, and the last byte of each epoch by its moment.
        self.first, self.arrivals = None, {}
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        data, index, due = b"", 0, time.monotonic()
        start = int(time.time())
        while True:
            if time.monotonic() >= due:
                os.write(self._line, epoch(10 * index, start))
                index, due = index + 1, due + 1
            if not select.select([self._line], [], [], max(due - time.monotonic(), 0))[0]:
                continue
            data += os.read(self._line, 65536)
            now = time.monotonic()
            if QUESTION in data:
                os.write(self._line, IDENTITY)
                data = data.partition(QUESTION)[2]
            data = self._frames(data, now)

    def _frames(self, data, now):
        while len(data) >= 3:
            if data[0] != 0xD3:
                data = data[1:]
                continue
            self.first = self.first or now
            length = 6 + (data[1] << 8 | data[2])
            if len(data) < length:
                break
            if int.from_bytes(data[3:5], "big") >> 4 == SYSTEMS[-1]:
                self.arrivals[int.from_bytes(data[6:10], "big") >> 2] = now
            data = data[length:]
        return data


class Caster:
    """A caster. Its answer to a connection is `answer`, a function of the connection."""

    def __init__(self):
        self.port = free_port()
        self._server = socket.create_server(("127.0.0.1", self.port))
        self.answer = self.stream
        #: The time of the first byte, that of each epoch by its moment, the bytes that were accepted, and the end.
        self.first, self.departures, self.sent, self.ended = None, {}, 0, None
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            connection = self._server.accept()[0]
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            request += connection.recv(1024)
        self.first, self.sent, self.ended = time.monotonic(), 0, None
        try:
            self.answer(connection)
        except OSError:
            pass
        self.ended = time.monotonic()

    def _send(self, connection, data):
        connection.sendall(data)
        self.sent += len(data)

    def stream(self, connection):
        self._send(connection, b"ICY 200 OK\r\n")
        seed = random.Random(1)
        contents = [bytes(seed.randrange(256) for _ in range(PAYLOAD)) for _ in SYSTEMS]
        # Made before, because the CRC is slow in this language.
        epochs = [(moment, b"".join(measurements(number, moment, content)
                                    for number, content in zip(SYSTEMS, contents)))
                  for moment in range(0, 60_000, 1000 // RATE)]
        for turn in range(1 << 20):
            moment, data = epochs[turn % len(epochs)]
            self.departures[moment] = time.monotonic()
            self._send(connection, (REFERENCE if turn % (10 * RATE) == 0 else b"") + data)
            time.sleep(max(self.first + (turn + 1) / RATE - time.monotonic(), 0))

    def table(self, connection):
        self._send(connection, b"SOURCETABLE 200 OK\r\n\r\n")
        rows = b"".join(b"STR;M%06d;x;RTCM 3.2;;2;GPS;N;DEU;50.00;8.00;0;0;x;none;N;N;9600;\r\n" % number
                        for number in range(10_000))
        while self.sent < 1 << 30:
            self._send(connection, rows)

    def flood(self, connection):
        self._send(connection, b"ICY 200 OK\r\n")
        data = (bytes([0xD3, 3]) * 100 + REFERENCE) * 1000
        while True:
            self._send(connection, data)

    def trickle(self, connection):
        self._send(connection, b"ICY 200 OK\r\n")
        while True:
            for byte in REFERENCE:
                self._send(connection, bytes([byte]))
                time.sleep(1)


class Instance:
    """A running locationd-ntrip."""

    def __init__(self, programs, folder, daemon, caster, more):
        (folder / "base.toml").write_text(f'caster = "ntrip://127.0.0.1:{caster.port}/BASE"\n{more}')
        self.log = folder / "ntrip.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [programs / "locationd-ntrip", "--config", folder / "base.toml"],
                env=os.environ | {"LOCATIOND_RUNTIME_DIRECTORY": str(daemon.runtime)}, stdout=log, stderr=log)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def last_line(self):
        lines = self.log.read_text(errors="replace").splitlines()
        return lines[-1] if lines else "nothing"


def processor(process):
    """Returns the seconds of a processor that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    """Returns the greatest resident memory of a process so far, in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0


def percentiles(times):
    times = sorted(times) or [float("nan")]
    return f"median {times[len(times) // 2] * 1000:.1f} ms, 99 % {times[len(times) * 99 // 100] * 1000:.1f} ms"


def measure(receiver, caster, programs, seconds):
    """Measures an ordinary stream. `programs` are the processes by name."""
    until(lambda: receiver.first, "corrections at the receiver")
    print(f"first correction at the receiver      {(receiver.first - caster.first) * 1000:.1f} ms after the first byte")
    before = {name: processor(process) for name, process in programs.items()}
    begin, sent = time.monotonic(), caster.sent
    time.sleep(seconds)
    elapsed = time.monotonic() - begin
    print(f"stream of {(caster.sent - sent) / elapsed:.0f} bytes/s, {seconds} s:")
    for name, process in programs.items():
        share = (processor(process) - before[name]) / elapsed
        print(f"  {name:16} {share * 100:.2f} % of a processor, {memory(process):.1f} MB")
    delays = [arrival - caster.departures[moment] for moment, arrival in dict(receiver.arrivals).items()
              if arrival > begin and arrival >= caster.departures[moment]]
    print(f"  an epoch at the receiver: {percentiles(delays)}, {len(delays)} of the last minute's epochs")


def attack(name, answer, instance, caster, daemon, seconds):
    """Measures what a hostile answer costs, for some time at most or until the program closes the connection."""
    before, begin = processor(instance.process), time.monotonic()
    until(lambda: caster.answer == answer and caster.sent > 0, "the connection")
    while caster.ended is None and time.monotonic() - begin < seconds:
        time.sleep(0.1)
    elapsed = time.monotonic() - begin
    # The reason is logged after the connection is closed.
    time.sleep(0.2)
    end = f"closed after {caster.ended - caster.first:.1f} s" if caster.ended else "still open"
    share = (processor(instance.process) - before) / elapsed
    print(f"{name:22} {caster.sent} bytes were accepted in {elapsed:.0f} s, {end}; {share * 100:.1f} % of a processor, "
          f"{memory(instance.process):.1f} MB, locationd {memory(daemon.process):.1f} MB\n"
          f"  its last message: {instance.last_line()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("programs", type=lambda text: Path(text).resolve())
    parser.add_argument("--seconds", type=float, default=120, help="for the ordinary stream, twice the flood's")
    parser.add_argument("--slow", type=float, default=130, help="for the stream of a byte a second")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="corrections-") as name:
        folder = Path(name)
        receiver, caster = Receiver(), Caster()
        daemon = Daemon(arguments.programs, folder / "daemon", None, CONFIGURATION.format(receiver.port))

        def read():
            while True:
                select.select([daemon.app], [], [])
                drain(daemon.app)

        threading.Thread(target=read, daemon=True).start()

        def start(answer, more='position = "none"\n'):
            caster.answer, caster.sent, caster.ended = answer, 0, None
            return Instance(arguments.programs, folder, daemon, caster, more)

        try:
            instance = start(caster.stream)
            measure(receiver, caster, {"locationd-ntrip": instance.process, "locationd": daemon.process},
                    arguments.seconds)
            instance.stop()
            for title, answer, more, seconds in (
                    ("a list of 1 GB", caster.table, "", 60),
                    ("100 MB/s", caster.flood, 'position = "none"\n', arguments.seconds / 2),
                    ("1 byte/s", caster.trickle, 'position = "none"\n', arguments.slow)):
                instance = start(answer, more)
                attack(title, answer, instance, caster, daemon, seconds)
                instance.stop()
        finally:
            daemon.process.terminate()
            daemon.process.wait()


if __name__ == "__main__":
    main()
