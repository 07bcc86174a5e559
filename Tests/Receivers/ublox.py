"""Receivers of u-blox: M8 with messages, F9P with both, M10 with keys only."""

import struct
import time

from emulator import Personality
from receiver_frames import ubx

KEYS = {
    0x30210001: 1000, 0x30210002: 1, 0x20210003: 0, 0x20110021: 0, 0x1031001F: 1, 0x10310020: 1, 0x10310021: 1,
    0x10310022: 1, 0x10310024: 1, 0x10310025: 0, 0x10230001: 0, 0x20910007: 0, 0x20910039: 0, 0x20910016: 0,
    0x10740002: 1, 0x209100CA: 1, 0x209100C5: 1, 0x209100B1: 1, 0x209100BB: 1, 0x209100AC: 1,
}
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
SYSTEMS = bytes((0, 32, 32, 3, 0, 8, 16, 0, 1, 0, 1, 1, 2, 4, 8, 0, 0, 0, 1, 1, 6, 8, 14, 0, 1, 0, 1, 1))
MESSAGES = {0x0107: 0, 0x0104: 0, 0x0135: 0, 0xF000: 1, 0xF001: 1, 0xF002: 1, 0xF003: 1, 0xF004: 1, 0xF005: 1}


class UBlox(Personality):
    """sleeps: how it obeys UBX-RXM-PMREQ: "always", "long" (the 16 bytes with force), "limited" (with a duration) or
    "never". is_quiet: a command that changes nothing is not answered."""

    dialect = "ublox"
    protocol_version = "18.00"
    module = "NEO-M8N"
    has_messages, has_keys = True, False

    def __init__(self, sleeps="always", is_quiet=False):
        self.sleeps, self.is_quiet = sleeps, is_quiet
        super().__init__()

    def power_on(self):
        self.keys = dict(KEYS)
        self.payloads = {0x0608: struct.pack("<HHH", 1000, 1, 1), 0x0624: bytes(36), 0x063E: SYSTEMS,
                         0x0623: bytes((2, 0)) + bytes(38)}
        self.messages = dict(MESSAGES)

    @property
    def interval(self):
        if self.has_keys:
            return self.keys[0x30210001] * self.keys[0x30210002] / 1000
        milliseconds, measurements, _ = struct.unpack("<HHH", self.payloads[0x0608])
        return milliseconds * measurements / 1000

    def values(self):
        return dict(self.keys), dict(self.payloads), dict(self.messages)

    def answer(self, protocol, frame):
        if protocol != "ubx":
            return []
        kind, payload = struct.unpack_from(">H", frame, 2)[0], frame[6:-2]
        if kind == 0x0A04:
            texts = [f"FWVER={'SPG 5.10' if self.has_keys else 'SPG 3.01'}", f"PROTVER={self.protocol_version}",
                     f"MOD={self.module}", "GPS;GLO;GAL;BDS"]
            head = b"ROM SPG 5.10 (7b202e)".ljust(30, b"\0") + b"000A0000".ljust(10, b"\0")
            return [ubx(kind, head + b"".join(text.encode().ljust(30, b"\0") for text in texts))]
        if kind == 0x0241:
            return self._standby(payload)
        if kind == 0x0604:
            if payload[2] in (8, 9):
                self.is_running = payload[2] == 9
            return []
        if kind in (0x0609, 0x0600) and payload:
            self.saved.append(frame)
        if kind >> 8 == 0x13 or kind == 0x0B01:
            return []
        if kind >> 8 != 0x06:
            return []
        outcome = None if self.refuses else self._configure(kind, payload, frame)
        if outcome is None:
            return [ubx(0x0500, struct.pack(">H", kind))]
        answers, has_changed = outcome
        if self.is_quiet and not answers and not has_changed:
            return []
        return [*answers, ubx(0x0501, struct.pack(">H", kind))]

    def _standby(self, payload):
        flags = struct.unpack_from("<I", payload, 4 if len(payload) == 8 else 8)[0]
        duration = struct.unpack_from("<I", payload, 0 if len(payload) == 8 else 4)[0]
        obeys = {"always": flags & 2, "long": len(payload) == 16 and flags & 4,
                 "limited": len(payload) == 16 and flags & 4 and duration, "never": False}
        self.is_asleep = bool(obeys[self.sleeps])
        return []

    def _configure(self, kind, payload, frame):
        """Returns the answers and whether anything has changed, or None for a refusal."""
        if kind in (0x068A, 0x068B):
            return self._by_key(kind, payload, frame) if self.has_keys else None
        if not self.has_messages:
            return None
        if kind == 0x0601:
            message = struct.unpack_from(">H", payload)[0]
            if message not in self.messages:
                return None
            if len(payload) == 2:
                return [ubx(kind, payload + bytes((0, self.messages[message], 0, 0, 0, 0)))], False
            return [], self._change(self.messages, message, payload[2])
        if kind not in self.payloads:
            return None
        old = self.payloads[kind]
        if not payload:
            return [ubx(kind, old)], False
        if kind == 0x0624:
            payload = old[:2] + payload[2:3] + old[3:]
        elif kind == 0x0623:
            payload = old[:27] + payload[27:28] + old[28:]
        return [], self._change(self.payloads, kind, payload)

    def _by_key(self, kind, payload, frame):
        if kind == 0x068B:
            keys = [key for key, in struct.iter_unpack("<I", payload[4:])]
            if payload[1] != 0 or any(key not in self.keys for key in keys):
                return None
            pairs = b"".join(struct.pack("<I", key) + self.keys[key].to_bytes(SIZES[key >> 28 & 7], "little")
                             for key in keys)
            return [ubx(kind, bytes((1, 0, 0, 0)) + pairs)], False
        if payload[1] != 1:
            self.saved.append(frame)
        new, rest = dict(self.keys), payload[4:]
        while rest:
            key = struct.unpack_from("<I", rest)[0]
            if key not in new:
                return None
            size = SIZES[key >> 28 & 7]
            new[key], rest = int.from_bytes(rest[4:4 + size], "little"), rest[4 + size:]
        has_changed = new != self.keys
        if not self.lies:
            self.keys = new
        return [], has_changed

    def _change(self, values, key, value):
        has_changed = values[key] != value
        if not self.lies:
            values[key] = value
        return has_changed

    def leaves_out(self):
        if self.has_keys:
            return {name for name, key in (("GLL", 0x209100CA), ("GSV", 0x209100C5), ("VTG", 0x209100B1))
                    if not self.keys[key]}
        return {name for name, message in (("GLL", 0xF001), ("GSV", 0xF003), ("VTG", 0xF005))
                if not self.messages[message]}

    def epoch(self, now):
        if not (self.keys[0x20910007] if self.has_keys else self.messages[0x0107]):
            return super().epoch(now)
        parts = time.gmtime(now)
        payload = bytearray(92)
        struct.pack_into("<IHBBBBBB", payload, 0, int(now * 1000) % 604_800_000, *parts[:6], 0x37)
        payload[20], payload[21], payload[23] = (3, 1, 9) if self.is_running else (0, 0, 0)
        struct.pack_into("<iiii", payload, 24, 115_000_000, 481_000_000, 590_000, 545_000)
        struct.pack_into("<II", payload, 40, 2500, 4000)
        return ubx(0x0107, bytes(payload))


class M8(UBlox):
    """NEO-M8N, protocol 18."""


class F9P(UBlox):
    """ZED-F9P, protocol 27.12: keys, and the messages still."""

    protocol_version, module, has_keys = "27.12", "ZED-F9P", True


class M10(UBlox):
    """MAX-M10S, protocol 34.10: keys only."""

    protocol_version, module, has_messages, has_keys = "34.10", "MAX-M10S", False, True
