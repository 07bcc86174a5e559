"""Receivers of u-blox: 6 and M8 with messages, F9P with both, M10 with keys only."""

import struct
import time

from emulator import Personality
from made_frames import ubx

#: The bytes of a value, by bits 28 to 30 of its key.
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
#: The messages of UART1 by their keys.
OUTPUT = {"NAV-PVT": 0x20910007, "NAV-HPPOSLLH": 0x20910034, "NAV-DOP": 0x20910039, "NAV-SAT": 0x20910016,
          "RXM-RTCM": 0x20910269, "GGA": 0x209100BB, "GLL": 0x209100CA, "GSA": 0x209100C0, "GSV": 0x209100C5,
          "RMC": 0x209100AC, "VTG": 0x209100B1}
SENTENCES = ("GGA", "GLL", "GSA", "GSV", "RMC", "VTG")
NMEA_OUTPUT, UBX_OUTPUT = 0x10740002, 0x10740001
SYSTEM_KEYS = (0x1031001F, 0x10310021, 0x10310022, 0x10310025)
#: The values after power-on. Those that are not listed do not exist.
KEYS = {
    # RATE-MEAS, -NAV, -TIMEREF, NAVSPG-DYNMODEL, UART1-BAUDRATE, UART1INPROT-RTCM3X, and USB's.
    0x30210001: 1000, 0x30210002: 1, 0x20210003: 1, 0x20110021: 0, 0x40520001: 38_400, 0x10730004: 0,
    UBX_OUTPUT: 1, NMEA_OUTPUT: 1, 0x10780001: 1, 0x10780002: 1, 0x10770004: 0,
    # SIGNAL: GPS, SBAS, GAL, BDS, QZSS, GLO, and signals.
    0x1031001F: 1, 0x10310020: 1, 0x10310021: 1, 0x10310022: 1, 0x10310024: 1, 0x10310025: 0,
    0x10310001: 1, 0x10310005: 1, 0x10310007: 1, 0x1031000D: 1, 0x1031000F: 0, 0x10310018: 0,
    # PM, ANA, NAVSPG-ACKAIDING, ITFM, SEC-JAMDET, PL, OSNMA, SBAS-USE_INTEGRITY.
    0x20D00001: 0, 0x40D00002: 10, 0x40D00003: 10, 0x30D00005: 0, 0x20D00006: 0, 0x20D00007: 0, 0x10D00008: 0,
    0x10D00009: 0, 0x10D0000A: 1, 0x10D00010: 0, 0x10230001: 0, 0x30230002: 0, 0x10110025: 0, 0x1041000D: 0,
    0x10F60051: 0, 0x101100D7: 1, 0x10350005: 0, 0x10360005: 0,
    # MSGOUT of UART1: NAV-STATUS, -EOE, -COV, -PL, -TIMELS, MON-RF, SEC-SIG, GST, ZDA, GNS, DTM.
    0x2091001B: 0, 0x20910160: 0, 0x20910084: 0, 0x20910416: 0, 0x20910061: 0, 0x2091035A: 0, 0x20910635: 0,
    0x209100D4: 0, 0x209100D9: 0, 0x209100B6: 0, 0x209100A7: 0,
    **{key: int(name in SENTENCES) for name, key in OUTPUT.items()},
}
# Those of USB.
KEYS |= {key + 2: value for key, value in KEYS.items() if key >> 16 == 0x2091}
#: The values that a key accepts, where these are not all.
RANGES = {0x30210001: range(25, 65_536), 0x30210002: range(1, 128), 0x20210003: range(5),
          0x20110021: (0, *range(2, 13)), 0x20D00001: range(3)}
#: UBX-CFG-GNSS: GPS, SBAS, Galileo, BeiDou, QZSS and GLONASS with their channels and flags, of which 1 is use.
SYSTEMS = bytes((0, 32, 32, 6)) + b"".join(
    bytes((system, least, most, 0, is_used, 0, 1, 1)) for system, least, most, is_used in
    ((0, 8, 16, 1), (1, 1, 3, 1), (2, 4, 8, 0), (3, 8, 16, 0), (5, 0, 3, 1), (6, 8, 14, 1)))
#: The messages by class and identifier.
MESSAGES = {0x0107: "NAV-PVT", 0x0104: "NAV-DOP", 0x0135: "NAV-SAT", 0xF000: "GGA", 0xF001: "GLL", 0xF002: "GSA",
            0xF003: "GSV", 0xF004: "RMC", 0xF005: "VTG"}
#: The longest duration of UBX-RXM-PMREQ in milliseconds: 12 days.
LONGEST_SLEEP = 1_036_800_000


def texts(*values):
    """Returns texts in fields of 30 bytes, as in UBX-MON-VER."""
    return b"".join(value.encode().ljust(30, b"\0") for value in values)


class UBlox(Personality):
    """sleeps: how it obeys UBX-RXM-PMREQ: "always", "short" (the 8 bytes), "long" (the 16 bytes with force), "limited"
    (those with a duration) or "never". is_quiet: a command that changes nothing is not answered."""

    dialect = "ublox"
    start_texts = ("GNTXT,01,01,02,u-blox AG - www.u-blox.com", "GNTXT,01,01,02,ANTSTATUS=OK")
    software, hardware, extensions = "", "", ()
    identity = {}
    has_messages, has_keys = True, False
    #: The unique identifier of a receiver that gives its navigation database away; empty for the others.
    identifier = b""
    #: The version of UBX-CFG-NAVX5.
    navx5_version = 2
    unknown = ()
    uses_corrections = False
    default_sleep = "always"

    def __init__(self, sleeps=None, is_quiet=False):
        self.sleeps, self.is_quiet = sleeps or self.default_sleep, is_quiet
        #: What it was told for its first fix.
        self.aids = []
        self._epochs = 0
        super().__init__()

    def power_on(self):
        self.keys = dict(KEYS)
        # Fixed bytes beside the model, and beside AssistNow Autonomous: an overwritten one is noticed.
        navigation = struct.pack("<HBBiIbBHHHHBBBBHHB5x", 0xFFFF, 0, 3, 0, 10_000, 5, 0, 250, 250, 100, 350, 0, 60, 0,
                                 0, 0, 200, 0)
        expert = bytearray(40)
        expert[0], expert[2:4], expert[10:13], expert[30] = self.navx5_version, b"\xff\xff", bytes((3, 24, 6)), 100
        self.payloads = {0x0608: struct.pack("<HHH", 1000, 1, 1), 0x0624: navigation, 0x0623: bytes(expert),
                         0x063E: SYSTEMS, 0x0600: struct.pack("<BBHIIHHHH", 1, 0, 0, 0x8C0, 38_400, 7, 3, 0, 0)}
        self.payloads = {kind: value for kind, value in self.payloads.items() if kind not in self.unknown}
        self.messages = {kind: int(kind >> 8 == 0xF0) for kind in MESSAGES if kind not in self.unknown}

    @property
    def interval(self):
        if self.has_keys:
            return self.keys[0x30210001] * self.keys[0x30210002] / 1000
        milliseconds, measurements, _ = struct.unpack("<HHH", self.payloads[0x0608])
        return milliseconds * measurements / 1000

    def values(self):
        return dict(self.keys), dict(self.payloads), dict(self.messages)

    def wake(self):
        # What is in volatile memory only does not outlast backup.
        self.power_on()
        super().wake()

    def answer(self, protocol, frame):
        if protocol == "rtcm":
            return self._correct(frame)
        if protocol != "ubx":
            return []
        kind, payload = struct.unpack_from(">H", frame, 2)[0], frame[6:-2]
        if ubx(kind, payload) != frame:
            return []
        if kind == 0x0A04:
            return [ubx(kind, texts(self.software) + self.hardware.encode().ljust(10, b"\0") + texts(*self.extensions))]
        if kind == 0x0241:
            return self._stand_by(payload, frame)
        if kind == 0x0604:
            return self._reset(payload, frame)
        if kind == 0x2703:
            return [ubx(kind, b"\1\0\0\0" + self.identifier)] if self.identifier else []
        if kind == 0x1380:
            return self._database(payload, frame)
        if kind in (0x1340, 0x0B01):
            self.aids.append(frame)
            return []
        if kind == 0x0914:
            self.saved.append(frame)
        if kind >> 8 != 0x06:
            return []
        if kind in (0x0609, 0x068C) or kind == 0x0600 and len(payload) > 1:
            self.saved.append(frame)
        outcome = None if self.refuses else self._configure(kind, payload, frame)
        if outcome is None:
            return [ubx(0x0500, struct.pack(">H", kind))]
        answers, has_changed = outcome
        if self.is_quiet and not answers and not has_changed:
            return []
        return [*answers, ubx(0x0501, struct.pack(">H", kind))]

    def _correct(self, frame):
        """A message of corrections: its number and its station are its first 24 bits."""
        if not self.uses_corrections:
            return []
        bits = int.from_bytes(frame[3:6], "big")
        report = struct.pack("<BB2xHH", 2, 2 << 1, bits & 0xFFF, bits >> 12)
        return [ubx(0x0232, report)] if self._every("RXM-RTCM") else []

    def _database(self, payload, frame):
        if not self.identifier:
            # It has none, so it must not be asked for it.
            self.saved.append(frame)
            return []
        if not payload:
            count = len(self.database) if self.stated is None else self.stated
            return [*self.database, *([] if count < 0 else [ubx(0x1360, struct.pack("<4BI", 1, 0, 0, 0x80, count))])]
        self.given.append(frame)
        is_acknowledged = self.keys[0x10110025] if self.has_keys else self.payloads[0x0623][17]
        return [ubx(0x1360, bytes((1, 0, 0, 0x80)) + payload[:4])] if is_acknowledged else []

    def _stand_by(self, payload, frame):
        if len(payload) == 8:
            duration, flags = struct.unpack("<II", payload)
            form = "short"
        elif len(payload) == 16:
            version, duration, flags, sources = struct.unpack("<B3xIII", payload)
            form = "limited" if duration else "long"
            if version or not flags & 4:
                form = "ignored"
            elif not sources & 8:
                # Only a pin would wake it.
                self.saved.append(frame)
                form = "ignored"
        else:
            return []
        forms = {"always": ("short", "long", "limited"), "short": ("short",), "long": ("long", "limited"),
                 "limited": ("limited",), "never": ()}[self.sleeps]
        if form in forms and flags & 2 and duration <= LONGEST_SLEEP:
            self.sleep(duration / 1000)
        # An M10 acknowledges the short form, without effect.
        return [ubx(0x0501, b"\x02\x41")] if form == "short" and not self.has_messages else []

    def _reset(self, payload, frame):
        cleared, mode, _ = struct.unpack("<HBB", payload)
        if cleared or mode not in (8, 9):
            self.saved.append(frame)
        else:
            self.is_running = mode == 9
        return []

    def _configure(self, kind, payload, frame):
        """Returns the answers and whether anything has changed, or None for a refusal."""
        if kind in (0x068A, 0x068B):
            return self._by_key(kind, payload, frame) if self.has_keys else None
        if not self.has_messages:
            return None
        if kind == 0x0601:
            return self._rate(payload)
        if kind not in self.payloads:
            return None
        old = self.payloads[kind]
        if not payload or kind == 0x0600 and payload == b"\1":
            return [ubx(kind, old)], False
        if len(payload) != len(old):
            return None
        new = {0x0608: self._interval, 0x0624: self._navigation, 0x0623: self._expert, 0x063E: self._systems}.get(
            kind, lambda _, payload: payload)(old, payload)
        if new is None:
            return None
        has_changed = self._change(self.payloads, kind, new)
        if has_changed and kind == 0x063E:
            self.restart_engine()
        return [], has_changed

    def _rate(self, payload):
        if len(payload) not in (2, 3, 8) or (message := struct.unpack_from(">H", payload)[0]) not in self.messages:
            return None
        if len(payload) == 2:
            rate = self.messages[message]
            # I2C, UART1, UART2, USB, SPI and a reserved byte.
            return [ubx(0x0601, payload + bytes((0, rate, 0, rate, 0, 0)))], False
        return [], self._change(self.messages, message, payload[2 if len(payload) == 3 else 3])

    @staticmethod
    def _interval(old, payload):
        milliseconds, measurements, reference = struct.unpack("<HHH", payload)
        return payload if milliseconds >= 25 and 1 <= measurements <= 127 and reference <= 4 else None

    @staticmethod
    def _navigation(old, payload):
        mask, model = struct.unpack_from("<HB", payload)
        if mask & 1 and model not in RANGES[0x20110021]:
            return None
        return old[:2] + (payload[2:3] if mask & 1 else old[2:3]) + (payload[3:] if mask & ~1 else old[3:])

    def _expert(self, old, payload):
        if payload[0] != self.navx5_version:
            return None
        mask, = struct.unpack_from("<H", payload, 2)
        new = bytearray(payload if mask & ~0x4400 else old)
        source, acknowledging = payload if mask & 0x4000 else old, payload if mask & 0x0400 else old
        new[:8], new[17], new[27], new[30:32] = old[:8], acknowledging[17], source[27], source[30:32]
        return bytes(new)

    @staticmethod
    def _systems(old, payload):
        blocks = [payload[start:start + 8] for start in range(4, len(payload), 8)]
        if [block[0] for block in blocks] != [old[start] for start in range(4, len(old), 8)]:
            return None
        used = {block[0] for block in blocks if block[4] & 1}
        # GPS and QZSS: both or neither.
        return payload if used & {0, 2, 3, 6} and (0 in used) == (5 in used) else None

    def _by_key(self, kind, payload, frame):
        if kind == 0x068B:
            keys = [key for key, in struct.iter_unpack("<I", payload[4:])]
            if payload[:4] != bytes(4) or len(keys) > 64 or any(key not in self.keys for key in keys):
                return None
            pairs = b"".join(struct.pack("<I", key) + self.keys[key].to_bytes(SIZES[key >> 28 & 7], "little")
                             for key in keys)
            return [ubx(kind, bytes((1, 0, 0, 0)) + pairs)], False
        new, rest = dict(self.keys), payload[4:]
        if payload[1] != 1 or payload[2:4] != bytes(2):
            self.saved.append(frame)
        while rest:
            if len(rest) < 5 or (key := struct.unpack_from("<I", rest)[0]) not in new:
                return None
            if key >> 16 == 0x4052:
                self.saved.append(frame)
            size = SIZES[key >> 28 & 7]
            new[key], rest = int.from_bytes(rest[4:4 + size], "little"), rest[4 + size:]
            if new[key] not in RANGES.get(key, range(2 if key >> 28 == 1 else 1 << 8 * size)):
                return None
        # GPS and QZSS: both or neither.
        if not any(new[key] for key in SYSTEM_KEYS) or new[0x1031001F] != new[0x10310024]:
            return None
        changes = {key for key in new if new[key] != self.keys[key]}
        if not self.lies:
            self.keys = new
            if any(key >> 16 == 0x1031 for key in changes):
                self.restart_engine()
        return [], bool(changes)

    def _change(self, values, key, value):
        has_changed = values[key] != value
        if not self.lies:
            values[key] = value
        return has_changed and not self.lies

    def _every(self, name):
        """Returns the number of epochs for each message of this name, or 0 if it is not sent."""
        if self.has_keys:
            return self.keys[OUTPUT[name]] * self.keys[NMEA_OUTPUT if name in SENTENCES else UBX_OUTPUT]
        return next((self.messages[kind] for kind, each in MESSAGES.items() if each == name and kind in self.messages),
                    0)

    def leaves_out(self):
        return {name for name in SENTENCES if not (every := self._every(name)) or self._epochs % every}

    def epoch(self, now):
        self._epochs += 1
        frames = {"NAV-DOP": self._dop, "NAV-PVT": self._pvt, "NAV-HPPOSLLH": self._hpposllh, "NAV-SAT": self._sat}
        return super().epoch(now) + b"".join(
            make(now) for name, make in frames.items()
            if (every := self._every(name)) and not self._epochs % every)

    @staticmethod
    def _tow(now):
        return int(now * 1000) % 604_800_000

    def _pvt(self, now):
        parts = time.gmtime(now)
        payload = bytearray(92)
        struct.pack_into("<IHBBBBBBIi", payload, 0, self._tow(now), *parts[:6], 0x37, 50, int(now % 1 * 1e9))
        payload[20], payload[21], payload[23] = (3, 1, 9) if self.has_fix(now) else (0, 0, 0)
        if self.has_fix(now):
            latitude, longitude = self.place(now)
            struct.pack_into("<iiii", payload, 24, round(longitude * 1e7), round(latitude * 1e7), 590_000, 545_000)
        struct.pack_into("<II", payload, 40, 2500, 4000)
        return ubx(0x0107, bytes(payload))

    def _hpposllh(self, now):
        latitude, longitude = (round(degrees * 1e9) for degrees in self.place(now))
        # The greater part is rounded, as in NAV-PVT, so that the rest may be below 0.
        parts = [round(angle / 100) for angle in (longitude, latitude)]
        rest = [angle - 100 * part for angle, part in zip((longitude, latitude), parts)]
        return ubx(0x0114, struct.pack("<3xBIiiiibbbbII", not self.has_fix(now), self._tow(now), *parts, 590_000,
                                       545_000, *rest, 0, 0, 25_000, 40_000))

    def _dop(self, now):
        return ubx(0x0104, struct.pack("<I7H", self._tow(now), 196, 170, 90, 144, 94, 70, 60))

    def _sat(self, now):
        blocks = b"".join(struct.pack("<BBBbhhI", 0, number, 40, 45, 120, 0, 0x1F) for number in (2, 5, 7, 9))
        return ubx(0x0135, struct.pack("<IBB2x", self._tow(now), 1, 4) + blocks)


class U6(UBlox):
    """NEO-6M: no PROTVER, no UBX-NAV-PVT, no UBX-CFG-GNSS, and the short standby only."""

    software, hardware = "7.03 (45969)", "00040007"
    identity = {"dialect": "ublox", "maker": "u-blox", "firmware": "7.03 (45969)"}
    navx5_version, unknown, default_sleep = 0, (0x063E, 0x0107, 0x0135), "short"


class M8(UBlox):
    """NEO-M8N, protocol 18."""

    identifier = b"\1\2\3\4\5"
    software, hardware = "EXT CORE 3.01 (111141)", "00080000"
    extensions = ("ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER 18.00", "MOD=NEO-M8N-0",
                  "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS")
    identity = {"dialect": "ublox", "maker": "u-blox", "model": "NEO-M8N-0", "firmware": "SPG 3.01",
                "protocolVersion": "18.00"}


class F9P(UBlox):
    """ZED-F9P, protocol 27.12: keys, and the messages still."""

    software, hardware = "EXT CORE 1.00 (94e56e)", "00190000"
    extensions = ("ROM BASE 0x118B2060", "FWVER=HPG 1.13", "PROTVER=27.12", "MOD=ZED-F9P", "GPS;GLO;GAL;BDS", "QZSS")
    identity = {"dialect": "ublox", "maker": "u-blox", "model": "ZED-F9P", "firmware": "HPG 1.13",
                "protocolVersion": "27.12"}
    has_keys, navx5_version, uses_corrections = True, 3, True


class M10(UBlox):
    """MAX-M10S, protocol 34.10: keys only."""

    identifier = b"\1\2\3\4\5\6"
    software, hardware = "ROM SPG 5.10 (7b202e)", "000A0000"
    extensions = ("FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S", "GPS;GLO;GAL;BDS", "SBAS;QZSS")
    identity = {"dialect": "ublox", "maker": "u-blox", "model": "MAX-M10S", "firmware": "SPG 5.10",
                "protocolVersion": "34.10"}
    has_messages, has_keys, default_sleep = False, True, "long"
