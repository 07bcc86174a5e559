"""A system bus of its own, and programs on it: D-Bus by hand, so that a message can hold anything."""

import array
import contextlib
import os
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from daemon import Daemon

PROJECT = Path(__file__).parent.parent.parent
CONFIGURATION = PROJECT / "Tests/Support/Buses/bus.conf"
# The rules that the package installs, for the user of the daemon.
RULES = PROJECT / "data/dbus"
GEOCLUE = "org.freedesktop.GeoClue2"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
PEER = "org.freedesktop.DBus.Peer"


class Bus:
    """A running dbus-daemon with the rules of Debian's system bus and of the package locationd-geoclue.

    elements: more of its configuration.
    """

    def __init__(self, folder, elements=""):
        self.path = str(Path(folder) / "bus")
        configuration = Path(folder) / "bus.conf"
        # The attacks measure how soon the bus itself answers.
        elements += "<policy context='default'><allow send_interface='org.freedesktop.DBus.Peer'/></policy>"
        # Not those about BlueZ, which would keep descriptors away that the daemon is to keep away itself.
        for rules in RULES.glob("org.freedesktop.*.conf"):
            text = rules.read_text().replace('user="locationd"', f'user="{os.getuid()}"')
            (Path(folder) / rules.name).write_text(text)
            elements += f"<include>{rules.name}</include>"
        configuration.write_text(
            CONFIGURATION.read_text().replace("@PATH@", self.path).replace("@ELEMENTS@", elements))
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address=1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.address = self.process.stdout.readline().decode().strip()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Program:
    """A connection to the bus, of a program that sends descriptors."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.serial = 0
        self.input = b""
        # The arguments of the last message.
        self.body = b""
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self._line()
        self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
        self._line()
        self.socket.sendall(b"BEGIN\r\n")
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def _line(self):
        line = b""
        while not line.endswith(b"\r\n"):
            line += self.socket.recv(1)
        return line

    def send(self, destination, path, interface, member, signature="", body=b"", descriptors=()):
        """Sends a call. Returns its serial number. `body` is already in the wire's form, little endian."""
        self.serial += 1
        fields = [(1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member)]
        header = b""
        for code, kind, value in fields:
            header += b"\0" * (-len(header) % 8) + bytes([code, 1]) + kind.encode() + b"\0"
            data = value.encode()
            header += struct.pack("<I", len(data)) + data + b"\0"
        if signature:
            header += b"\0" * (-len(header) % 8) + bytes([8, 1]) + b"g\0" + bytes([len(signature)])
            header += signature.encode() + b"\0"
        if descriptors:
            header += b"\0" * (-len(header) % 8) + bytes([9, 1]) + b"u\0" + struct.pack("<I", len(descriptors))
        message = b"l\1\0\1" + struct.pack("<III", len(body), self.serial, len(header)) + header
        message += b"\0" * (-len(message) % 8)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        sent = self.socket.sendmsg([message + body], rights)
        self.socket.sendall((message + body)[sent:])
        return self.serial

    def call(self, destination, path, interface, member, signature="", body=b"", descriptors=()):
        """Makes a call. Returns the type of the answer: 2 for a reply, 3 for an error."""
        serial = self.send(destination, path, interface, member, signature, body, descriptors)
        return self.answer(serial)[0]

    def answer(self, serial):
        """Waits for the answer to a call. Returns its type, and the name of the error or None."""
        while True:
            kind, fields = self._message()
            if fields.get(5) == serial:
                return kind, fields.get(4)

    def _message(self):
        """Returns the type of the next message, and its header's fields by their codes; 0 is its serial number."""
        start = self._read(16)
        length, serial, size = struct.unpack("<III", start[4:16])
        header = self._read(size + -size % 8)[:size]
        self.body = self._read(length)
        fields, place = {0: serial}, 0
        while place < len(header):
            place += -place % 8
            code, kind = header[place], header[place + 2:place + 3]
            place += 4
            if kind == b"g":
                place += header[place] + 2
                continue
            place += -place % 4
            fields[code] = value = struct.unpack_from("<I", header, place)[0]
            place += 4
            if kind != b"u":
                fields[code] = header[place:place + value].decode()
                place += value + 1
        return start[1], fields

    def _read(self, count):
        while len(self.input) < count:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("the bus closed the connection")
            self.input += data
        data, self.input = self.input[:count], self.input[count:]
        return data

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def geoclue_front(programs):
    """A daemon that has GeoClue's name on a bus of its own: the bus, the daemon, and a program on the bus."""
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder:
        bus = Bus(folder)
        daemon = Daemon(programs / "locationd", folder, "simulated", configuration="[geoclue]\nenabled = true\n",
                        environment={"DBUS_SYSTEM_BUS_ADDRESS": bus.address})
        try:
            program = Program(bus.path)
            deadline = time.monotonic() + 60
            while program.call(GEOCLUE, MANAGER, PEER, "Ping") != 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            yield bus, daemon, program
        finally:
            daemon.process.kill()
            bus.stop()
