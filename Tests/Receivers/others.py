"""Receivers of MediaTek, Airoha, ST, CASIC and SkyTraq."""

import struct

from emulator import Personality
from receiver_frames import casic, sentence, skytraq


def numbers(fields):
    """Returns the fields as numbers, those that are none as they are."""
    return [int(field) if field.lstrip("-").isdigit() else field for field in fields]


class Sentences(Personality):
    """A dialect of sentences: `numbers` by the command that sets them."""

    defaults = {}

    def power_on(self):
        self.numbers = {key: list(value) for key, value in self.defaults.items()}

    def values(self):
        return {key: list(value) for key, value in self.numbers.items()}

    def set(self, key, values):
        if not self.lies:
            self.numbers[key] = list(values)

    def answer(self, protocol, frame):
        if protocol != "nmea":
            return []
        command, *fields = frame[1:].split(b"*")[0].decode().split(",")
        return [sentence(",".join(map(str, body))) for body in self.reply(command, numbers(fields))]

    def reply(self, command, fields):
        """Returns the sentences that answer a command, each as a list of fields."""
        raise NotImplementedError


class MT3333(Sentences):
    dialect = "mtk"
    forbidden = (b"$PMTK225", b"$PMTK251", b"$PMTK104")
    defaults = {"PMTK220": [1000], "PMTK314": [1, 1, 1, 1, 1, 5, 0, 0, 0], "PMTK869": [0]}

    @property
    def interval(self):
        return self.numbers["PMTK220"][0] / 1000

    def leaves_out(self):
        rates = self.numbers["PMTK314"]
        return {name for name, index in (("GLL", 0), ("VTG", 2), ("GSV", 5)) if not rates[index]}

    def reply(self, command, fields):
        number = int(command[4:]) if command.startswith("PMTK") else None
        if number == 605:
            return [["PMTK705", "AXN_5.1.7_3333_19020118", "0001", "MT3333-01", "1.0"]]
        if number == 161:
            self.is_asleep = True
            return []
        if number == 400:
            return [["PMTK500", *self.numbers["PMTK220"], 0, 0, 0.0, 0.0]]
        if number == 414:
            return [["PMTK514", *self.numbers["PMTK314"]]]
        if number == 869 and fields == [0]:
            return [["PMTK869", 2, *self.numbers["PMTK869"], 0]]
        if number in (220, 314, 869):
            if self.refuses:
                return [["PMTK001", number, 2]]
            self.set(command, fields[1:] if number == 869 else fields)
            return [["PMTK001", number, 3]]
        return [["PMTK001", number, 1]] if number is not None and number != 740 else []


class AG3335(Sentences):
    dialect = "airoha"
    forbidden = (b"$PAIR650", b"$PAIR513", b"$PAIR864", b"$PQTMSAVEPAR", b"$PQTMCFGUART")
    defaults = {"PAIR050": [1000], "PAIR080": [0], "PAIR066": [1, 1, 1, 1, 1, 0], "PAIR490": [0], "PAIR062,1": [1],
                "PAIR062,3": [1], "PAIR062,5": [1]}

    @property
    def interval(self):
        return self.numbers["PAIR050"][0] / 1000

    def leaves_out(self):
        return {name for name, kind in (("GLL", 1), ("GSV", 3), ("VTG", 5)) if self.numbers[f"PAIR062,{kind}"] == [0]}

    def reply(self, command, fields):
        if not command.startswith("PAIR"):
            return []
        number = int(command[4:])
        done = ["PAIR001", f"{number:03}", 0]
        if number == 20:
            return [["PAIR020", "AG3335M_V2.5.0.AG3335_20220308", "S", "N", "9ec1cc8", "2210141406"]]
        if number in (2, 3):
            self.is_running = number == 2
            return [done]
        if number in (51, 67, 81):
            return [done, [command, *self.numbers[f"PAIR{number - 1:03}"]]]
        if number == 491:
            return [done, [command, *self.numbers["PAIR490"], 0]]
        if number == 63:
            return [done, [command, fields[0], *self.numbers[f"PAIR062,{fields[0]}"]]]
        if number in (50, 62, 66, 80, 490):
            if self.refuses:
                return [["PAIR001", f"{number:03}", 3]]
            self.set(f"{command},{fields[0]}" if number == 62 else command, fields[1:] if number == 62 else fields)
            return [["PAIR001", f"{number:03}", 1], done]
        return [done] if number == 590 else [["PAIR001", f"{number:03}", 3]]


class Teseo(Sentences):
    dialect = "stm"
    forbidden = (b"$PSTMSAVEPAR", b"$PSTMRESTOREPAR")
    defaults = {"1303": [1.0]}

    @property
    def interval(self):
        return self.numbers["1303"][0]

    def reply(self, command, fields):
        if command == "PSTMGETSWVER":
            return [["PSTMVER", "GNSSLIB_8.4.12.12_ARM"]]
        if command == "PSTMGPSSUSPEND":
            self.is_running = False
            return [["PSTMGPSSUSPENDED"]]
        if command == "PSTMGPSRESTART":
            self.is_running = True
            return []
        if command == "PSTMGETPAR":
            return [["PSTMSET", 1303, f"{self.numbers['1303'][0]:.2f}"]]
        if command == "PSTMSETPAR":
            if self.refuses:
                return [["PSTMSETPARERROR"]]
            self.set("1303", [float(fields[1])])
            return [["PSTMSETPAROK", 1303]]
        return []


class AT6558(Personality):
    dialect = "casic"
    forbidden = (b"$PCAS00", b"$PCAS01")

    def power_on(self):
        self.milliseconds = 1000

    @property
    def interval(self):
        return self.milliseconds / 1000

    def values(self):
        return self.milliseconds

    def answer(self, protocol, frame):
        if frame == sentence("PCAS06,0"):
            return [sentence("GPTXT,01,01,02,SW=URANUS5,V5.3.0.0")]
        if frame.startswith(b"$PCAS12,"):
            self.is_asleep = True
        if protocol != "casic":
            return []
        kind, payload = struct.unpack_from(">H", frame, 4)[0], frame[6:-4]
        accepted, refused = casic(0x0501, struct.pack(">HH", kind, 0)), casic(0x0500, struct.pack(">HH", kind, 0))
        if kind != 0x0604:
            return [refused]
        if not payload:
            return [casic(kind, struct.pack("<HH", self.milliseconds, 0)), accepted]
        wanted = struct.unpack_from("<H", payload)[0]
        if self.refuses or wanted not in (200, 500, 1000):
            return [refused]
        if not self.lies:
            self.milliseconds = wanted
        return [accepted]


class Venus(Personality):
    dialect = "skytraq"

    def power_on(self):
        self.rate = 1

    @property
    def interval(self):
        return 1 / self.rate

    def values(self):
        return self.rate

    def answer(self, protocol, frame):
        if protocol != "skytraq":
            return []
        payload = frame[4:-3]
        accepted, refused = skytraq(bytes((0x83, payload[0]))), skytraq(bytes((0x84, payload[0])))
        if payload[0] == 0x02:
            return [accepted, skytraq(bytes((0x80, 1, 0, 1, 7, 15, 0, 1, 1, 1, 0, 8, 3, 4)))]
        if payload[0] == 0x10:
            return [accepted, skytraq(bytes((0x86, self.rate)))]
        if payload[0] != 0x0E:
            return [refused]
        if payload[2]:
            self.saved.append(frame)
        if self.refuses or payload[1] not in (1, 2, 4, 5, 8, 10, 20):
            return [refused]
        if not self.lies:
            self.rate = payload[1]
        return [accepted]
