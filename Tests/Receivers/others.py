"""Receivers of MediaTek, Airoha, ST, CASIC and SkyTraq."""

import struct

from emulator import Personality
from made_frames import casic, sentence, skytraq


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
        body = frame[1:].rpartition(b"*")[0].decode("latin-1")
        if sentence(body) != frame:
            # Ignored without a word, like the four wrong checksums of a public project.
            return []
        command, *fields = body.split(",")
        return [sentence(",".join(map(str, reply))) for reply in self.reply(command, numbers(fields))]

    def reply(self, command, fields):
        """Returns the sentences that answer a command, each as a list of fields."""
        raise NotImplementedError


class MT3333(Sentences):
    dialect = "mtk"
    identity = {"dialect": "mtk", "maker": "MediaTek", "model": "MT3333-01", "firmware": "AXN_5.1.7_3333_19020118"}
    # Saved baud rate and backup (only a pin wakes it), factory reset, cold starts.
    forbidden = (b"$PMTK225", b"$PMTK251", b"$PMTK104", b"$PMTK103", b"$PMTK102")
    start_texts = ("PMTK011,MTKGPS", "PMTK010,001")
    defaults = {"PMTK220": [1000], "PMTK314": [1, 1, 1, 1, 1, 5, *[0] * 13], "PMTK869": [0]}
    invalid, unsupported, failed, done = range(4)

    @property
    def interval(self):
        return self.numbers["PMTK220"][0] / 1000

    def leaves_out(self):
        names = ("GLL", "RMC", "VTG", "GGA", "GSA", "GSV")
        return {name for name, rate in zip(names, self.numbers["PMTK314"]) if not rate}

    def reply(self, command, fields):
        if not command.startswith("PMTK") or not command[4:].isdigit():
            return []
        number = int(command[4:])
        if number == 605:
            return [["PMTK705", self.identity["firmware"], "0001", self.identity["model"], "1.0"]]
        if number == 161:
            self.sleep()
            return [["PMTK001", 161, self.done]]
        if number == 400:
            return [["PMTK500", *self.numbers["PMTK220"], 0, 0, 0.0, 0.0]]
        if number == 414:
            return [["PMTK514", *self.numbers["PMTK314"]]]
        if number == 869 and fields == [0]:
            return [["PMTK869", 2, *self.numbers["PMTK869"], 0]]
        if number in (740, 741):
            return [["PMTK001", number, self.done]]
        is_valid = {220: lambda: len(fields) == 1 and 100 <= fields[0] <= 10_000,
                    314: lambda: fields == [-1] or len(fields) == 19 and all(0 <= rate <= 5 for rate in fields),
                    869: lambda: len(fields) == 2 and fields[0] == 1 and fields[1] in (0, 1)}.get(number)
        if not is_valid:
            return [["PMTK001", number, self.unsupported]]
        if self.refuses or not is_valid():
            return [["PMTK001", number, self.failed]]
        if fields == [-1]:
            fields = self.defaults["PMTK314"]
        self.set(command, fields[1:] if number == 869 else fields)
        return [["PMTK001", number, self.done]]


class AG3335(Sentences):
    dialect = "airoha"
    identity = {"dialect": "airoha", "maker": "Airoha", "firmware": "AG3335M_V2.5.0.AG3335_20220308"}
    # Backup (no command wakes it), saving, baud rates, factory reset.
    forbidden = (b"$PAIR650", b"$PAIR513", b"$PAIR864", b"$PAIR007", b"$PQTMSAVEPAR", b"$PQTMCFGUART", b"$PQTMRESTORE",
                 b"$PQTMGNSSSTOP")
    start_texts = ("PAIR010,1,2,2446,477296",)
    defaults = {"PAIR050": [1000], "PAIR080": [0], "PAIR066": [1, 1, 1, 1, 1, 0], "PAIR490": [0],
                **{f"PAIR062,{kind}": [1] for kind in range(6)}}
    done, working, failed, unsupported, parameter = range(5)

    @property
    def interval(self):
        return self.numbers["PAIR050"][0] / 1000

    def leaves_out(self):
        names = ("GGA", "GLL", "GSA", "GSV", "RMC", "VTG")
        return {name for kind, name in enumerate(names) if self.numbers[f"PAIR062,{kind}"] == [0]}

    def reply(self, command, fields):
        if not command.startswith("PAIR") or not command[4:].isdigit():
            return []
        number = int(command[4:])

        def result(code):
            return ["PAIR001", f"{number:03}", code]

        if number == 20:
            return [result(self.done), ["PAIR020", self.identity["firmware"], "S", "N", "9ec1cc8", "2210141406"]]
        if number in (2, 3):
            self.is_running = number == 2
            return [result(self.done)]
        if number in (51, 67, 81, 491) and not fields:
            # The state of EASY has a second number.
            rest = [0] if number == 491 else []
            return [result(self.done), [command, *self.numbers[f"PAIR{number - 1:03}"], *rest]]
        if number == 63 and f"PAIR062,{fields[0]}" in self.numbers:
            return [result(self.done), [command, fields[0], *self.numbers[f"PAIR062,{fields[0]}"]]]
        if number in (590, 600):
            return [result(self.done)]
        is_valid = {50: lambda: len(fields) == 1 and 100 <= fields[0] <= 1000,
                    62: lambda: len(fields) == 2 and f"PAIR062,{fields[0]}" in self.numbers and 0 <= fields[1] <= 20,
                    66: lambda: len(fields) == 6 and any(fields[:4]) and all(field in (0, 1) for field in fields),
                    80: lambda: len(fields) == 1 and fields[0] in (0, 1, 5, 7),
                    490: lambda: fields in ([0], [1])}.get(number)
        if not is_valid or self.refuses:
            return [result(self.unsupported)]
        if not is_valid():
            return [result(self.parameter)]
        self.set(f"{command},{fields[0]}" if number == 62 else command, fields[1:] if number == 62 else fields)
        if number == 66:
            self.restart_engine()
        return [result(self.working), result(self.done)]


class Teseo(Sentences):
    dialect = "stm"
    identity = {"dialect": "stm", "maker": "STMicroelectronics", "firmware": "GNSSLIB_8.4.12.12_ARM"}
    forbidden = (b"$PSTMSAVEPAR", b"$PSTMRESTOREPAR", b"$PSTMSRR", b"$PSTMCOLD", b"$PSTMFORCESTANDBY")
    start_texts = ("GPTXT,01,01,02,(C)2000-2018 ST Microelectronics",)
    defaults = {"1303": [1.0]}

    @property
    def interval(self):
        return self.numbers["1303"][0]

    def answer(self, protocol, frame):
        if frame == sentence("PSTMDUMPEPHEMS"):
            return list(self.database)
        if frame.startswith(b"$PSTMEPHEM,"):
            # While the engine runs, it does not load them.
            self.given += [] if self.is_running else [frame]
            return []
        return super().answer(protocol, frame)

    def reply(self, command, fields):
        if command == "PSTMGETSWVER":
            return [["PSTMVER", self.identity["firmware"]]]
        if command in ("PSTMGPSSUSPEND", "PSTMGPSRESTART"):
            self.is_running = command == "PSTMGPSRESTART"
            return [] if self.is_running else [["PSTMGPSSUSPENDED"]]
        if command in ("PSTMINITTIME", "PSTMINITGPS"):
            return [[command + "OK"]]
        if command not in ("PSTMGETPAR", "PSTMSETPAR"):
            return []
        # The first digit is the configuration: 1 in use, 2 the factory's, 3 in flash.
        if str(fields[0])[:1] != "1" and command == "PSTMSETPAR":
            self.saved.append(",".join(map(str, (command, *fields))))
        if fields[0] != 1303 or self.refuses and command == "PSTMSETPAR":
            return [[f"{command}ERROR"]]
        if command == "PSTMGETPAR":
            return [["PSTMSET", 1303, f"{self.numbers['1303'][0]:.2f}"]]
        if len(fields) != 2 or not 0.1 <= float(fields[1]) <= 1:
            return [["PSTMSETPARERROR"]]
        self.set("1303", [float(fields[1])])
        return [["PSTMSETPAROK", 1303]]


class AT6558(Personality):
    dialect = "casic"
    identity = {"dialect": "casic", "maker": "CASIC", "firmware": "URANUS5,V5.3.0.0"}
    forbidden = (b"$PCAS00", b"$PCAS01", b"$PCAS10")
    start_texts = ("GPTXT,01,01,02,HW=ATGM336H", f"GPTXT,01,01,02,SW={identity['firmware']}")
    intervals = (200, 500, 1000)

    def power_on(self):
        self.milliseconds = 1000

    @property
    def interval(self):
        return self.milliseconds / 1000

    def values(self):
        return self.milliseconds

    def answer(self, protocol, frame):
        if frame == sentence("PCAS06,0"):
            return [sentence("GPTXT,01,01,02,SW=" + self.identity["firmware"])]
        if frame.startswith(b"$PCAS12,"):
            body = frame[1:].rpartition(b"*")[0].decode()
            seconds = int(body.split(",")[1])
            if sentence(body) == frame and seconds <= 65_535:
                self.sleep(seconds)
        if protocol != "casic":
            return []
        kind, payload = struct.unpack_from(">H", frame, 4)[0], frame[6:-4]
        if casic(kind, payload) != frame:
            return []
        accepted, refused = casic(0x0501, struct.pack(">HH", kind, 0)), casic(0x0500, struct.pack(">HH", kind, 0))
        # CFG-PRT with a baud rate, CFG-CFG, CFG-RST.
        if kind in (0x0600, 0x0605, 0x0602) and payload:
            self.saved.append(frame)
        if kind != 0x0604 or len(payload) not in (0, 4):
            return [refused]
        if not payload:
            return [casic(kind, struct.pack("<HH", self.milliseconds, 0)), accepted]
        wanted, reserved = struct.unpack("<HH", payload)
        if self.refuses or wanted not in self.intervals or reserved:
            return [refused]
        if not self.lies:
            self.milliseconds = wanted
        return [accepted]


class Venus(Personality):
    dialect = "skytraq"
    identity = {"dialect": "skytraq", "maker": "SkyTraq", "firmware": "1.7.15"}
    rates = (1, 2, 4, 5, 8, 10, 20)

    def power_on(self):
        self.rate = 1

    @property
    def interval(self):
        return 1 / self.rate

    def values(self):
        return self.rate

    def answer(self, protocol, frame):
        if protocol != "skytraq" or skytraq(frame[4:-3]) != frame:
            return []
        payload = frame[4:-3]
        accepted, refused = skytraq(bytes((0x83, payload[0]))), skytraq(bytes((0x84, payload[0])))
        if payload[0] == 0x02:
            # Kind, then kernel, ODM and revision with four bytes each.
            return [accepted, skytraq(bytes((0x80, 1, 0, 1, 7, 15, 0, 1, 1, 1, 0, 8, 3, 4)))]
        if payload[0] == 0x10:
            return [accepted, skytraq(bytes((0x86, self.rate)))]
        # 01 restart, 04 factory defaults, 05 baud rate, 0C power save without a question for it.
        if payload[0] in (0x01, 0x04, 0x05, 0x0C):
            self.saved.append(frame)
        if payload[0] != 0x0E or len(payload) != 3:
            return [refused]
        if payload[2]:
            self.saved.append(frame)
        if self.refuses or payload[1] not in self.rates:
            return [refused]
        if not self.lies:
            self.rate = payload[1]
        return [accepted]
