#!/usr/bin/python3
"""A Bluetooth controller that hears beacons, run in the machine: `beacon-controller SCRIPT`.

It is a controller of Bluetooth Low Energy alone, on /dev/vhci, with the fewest commands that the kernel needs. What it
hears is in the file SCRIPT, which is read again when it changes: JSON with "beacons", each with "major", "minor",
"rssi" in dBm and "noise" in dB; "chatter", the number of other devices; "filters", true if the controller drops
repeated packets as most do; "flood", true for 100 identities a second, each once. Beacons advertise ten times a
second, other devices once. Commands and events: Bluetooth Core Specification 5.4, volume 4, part E, section 7; the
packets: part A, and the kernel's drivers/bluetooth/hci_vhci.c.
"""

import json
import os
import random
import select
import struct
import sys
import time

UUID = bytes.fromhex("e2c56db5dffb48d2b060d0f5a71096e0")
COMMAND, EVENT, VENDOR = 1, 4, 0xFF
COMMAND_COMPLETE, COMMAND_STATUS, LE_META, ADVERTISING_REPORT = 0x0E, 0x0F, 0x3E, 0x02
#: An advertisement that nobody can connect to.
NONCONNECTABLE = 0x03
INTERVAL = 0.1
ADDRESS = bytes.fromhex("42000001aa00")

#: The return parameters of commands after their status; other commands have a status alone.
RETURNS = {
    0x1001: struct.pack("<BHBHH", 0x0C, 0, 0x0C, 0x05F1, 0),  # Read Local Version
    0x1003: bytes([0, 0, 0, 0, 0x60, 0, 0, 0]),  # Read Local Features: no BR/EDR, LE
    0x1005: struct.pack("<HBHH", 0, 0, 0, 0),  # Read Buffer Size
    0x1009: ADDRESS,  # Read BD_ADDR
    0x0C14: b"vhci".ljust(248, b"\0"),  # Read Local Name
    0x0C23: bytes(3),  # Read Class of Device
    0x0C25: bytes(2),  # Read Voice Setting
    0x0C38: bytes([1]),  # Read Number of Supported IAC
    0x0C39: bytes([0]),  # Read Current IAC LAP
    0x2002: struct.pack("<HB", 27, 4),  # LE Read Buffer Size
    0x2003: bytes(8),  # LE Read Local Supported Features
    0x2007: bytes([0]),  # LE Read Advertising Channel Tx Power
    0x200F: bytes([8]),  # LE Read Filter Accept List Size
    0x201C: bytes([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0]),  # LE Read Supported States
    0x2018: bytes(8),  # LE Rand
}

#: The bits of the supported commands: octet and bit, in section 6.27.
SUPPORTED = [(5, 6), (5, 7), (14, 3), (14, 5), (14, 7), (15, 1), (25, 0), (25, 1), (25, 2), (25, 4), (25, 5), (25, 6),
             (25, 7), (26, 0), (26, 1), (26, 2), (26, 3), (26, 6), (26, 7), (27, 0), (28, 3)]
SET_SCAN_PARAMETERS, SET_SCAN_ENABLE = 0x200B, 0x200C


def supported_commands():
    bits = bytearray(64)
    for octet, bit in SUPPORTED:
        bits[octet] |= 1 << bit
    return bytes(bits)


RETURNS[0x1002] = supported_commands()


def beacon_data(major, minor, power=-59):
    """The advertisement of a beacon: flags, and Apple's manufacturer data."""
    data = b"\x4c\x00\x02\x15" + UUID + struct.pack(">HHb", major, minor, power)
    return b"\x02\x01\x06" + bytes([len(data) + 1, 0xFF]) + data


class Controller:
    """The controller: answers commands, and reports what the script has, while it scans."""

    def __init__(self, script):
        self.script, self.changed, self.air = script, 0, {}
        self.is_scanning = self.filters = False
        self.reported, self.count, self.turn = set(), 0, 0
        self.device = os.open("/dev/vhci", os.O_RDWR)
        os.write(self.device, bytes([VENDOR, 0]))

    def read_script(self):
        try:
            changed = os.stat(self.script).st_mtime_ns
            if changed != self.changed:
                self.air, self.changed = json.loads(open(self.script, encoding="utf-8").read()), changed
        except (OSError, ValueError):
            pass

    def receive(self):
        packet = os.read(self.device, 4096)
        if packet[:1] != bytes([COMMAND]):
            return
        opcode, length = struct.unpack_from("<HB", packet, 1)
        parameters = packet[4:4 + length]
        if opcode == SET_SCAN_ENABLE:
            self.is_scanning, self.filters = parameters[0] == 1, parameters[1] == 1
            self.reported = set()
            print("scan", *parameters, flush=True)
        result = b"\0" + RETURNS.get(opcode, b"")
        self.send(COMMAND_COMPLETE, struct.pack("<BH", 1, opcode) + result)

    def send(self, event, parameters):
        os.write(self.device, bytes([EVENT, event, len(parameters)]) + parameters)

    def report(self, address, data, rssi):
        """Reports an advertisement, unless the controller has reported it since the scan was enabled."""
        if self.air.get("filters") and self.filters and address in self.reported:
            return
        self.reported.add(address)
        self.send(LE_META, bytes([ADVERTISING_REPORT, 1, NONCONNECTABLE, 1]) + address[::-1]
                  + bytes([len(data)]) + data + struct.pack("b", max(-127, min(20, round(rssi)))))

    def advertise(self):
        for beacon in self.air.get("beacons", []):
            address = bytes([0xC0, 0, 0, 0, beacon["major"] & 255, beacon["minor"] & 255])
            rssi = random.gauss(beacon["rssi"], beacon.get("noise", 0))
            self.report(address, beacon_data(beacon["major"], beacon["minor"]), rssi)
        self.turn = (self.turn + 1) % 10
        for number in range(self.turn, self.air.get("chatter", 0), 10):
            self.report(bytes([0xC1, 0, 0, 0, number >> 8, number & 255]), b"\x07\xff\x4c\x00\x10\x02\x01\x00", -70)
        if self.air.get("flood"):
            for _ in range(10):
                self.count += 1
                self.report(bytes([0xC2, 0, 0]) + (self.count & 0xFFFFFF).to_bytes(3, "big"),
                            beacon_data(self.count >> 16 & 255, self.count & 65535), -40)

    def run(self):
        due = time.monotonic()
        while True:
            if select.select([self.device], [], [], max(0, due - time.monotonic()))[0]:
                self.receive()
            if time.monotonic() >= due:
                due = max(due + INTERVAL, time.monotonic())
                self.read_script()
                if self.is_scanning:
                    self.advertise()


if __name__ == "__main__":
    Controller(sys.argv[1]).run()
