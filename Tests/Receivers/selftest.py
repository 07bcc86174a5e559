"""The emulated receivers by themselves, without a daemon.

The commands are those of the makers' manuals, as bytes. The answers are made by pyubx2, or typed; the emulators' own
functions for writing frames make none of them.
"""

import os
import select
import struct
import time

from emulator import Emulator
from made_frames import sentence, ubx
from others import AG3335, AT6558, MT3333, Teseo, Venus
from pynmeagps import calc_checksum
from pyubx2 import GET, POLL, SET, UBXMessage, UBXReader
from receiver_frames import fault, split
from ublox import F9P, KEYS, M8, M10, U6
from world import check, eventually

#: A question that each receiver answers, and the last of its answers begins so: all answers before it have come.
FENCES = {"ublox": ("B5 62 0A 04 00 00 0E 34", b"\xb5\x62\x0a\x04"), "mtk": ("$PMTK605*31", b"$PMTK705"),
          "airoha": ("$PAIR020", b"$PAIR020"), "stm": ("$PSTMGETSWVER,255*17", b"$PSTMVER"),
          "casic": ("$PCAS06,0*1B", b"$GPTXT"), "skytraq": ("A0 A1 00 02 02 01 03 0D 0A", b"\xa0\xa1\x00\x0e\x80")}
#: What comes just before that.
PREAMBLES = {"airoha": "$PAIR001,020,0", "skytraq": "A0 A1 00 02 83 02 81 0D 0A"}


def bytes_of(command):
    """Returns the bytes of a command or an answer: a sentence, or hexadecimal digits.

    A checksum is that of a manual, or computed by pynmeagps.
    """
    if not command.startswith("$"):
        return bytes.fromhex(command)
    return (command if "*" in command else f"{command}*{calc_checksum(command[1:])}").encode() + b"\r\n"


def made_by_pyubx2(name, mode=GET, **values):
    return UBXMessage(name[:3] if name[:2] != "CF" else "CFG", name, mode, **values).serialize()


def ack(kind):
    return made_by_pyubx2("ACK-ACK", clsID=kind >> 8, msgID=kind & 0xFF)


def nak(kind):
    return made_by_pyubx2("ACK-NAK", clsID=kind >> 8, msgID=kind & 0xFF)


class Port:
    """The other side of a receiver's port, as a program sees it."""

    def __init__(self, personality, **options):
        self.personality = personality
        self.emulator = Emulator(personality, **options)
        self._descriptor = os.open(self.emulator.path, os.O_RDWR | os.O_NOCTTY)
        self._pending = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._descriptor)
        self.emulator.close()

    def write(self, data, size=None):
        for start in range(0, len(data), size or len(data)):
            os.write(self._descriptor, data[start:start + (size or len(data))])

    def frames(self, timeout_seconds=60):
        """Returns the next frames that are not those of fixes."""
        if not select.select([self._descriptor], [], [], timeout_seconds)[0]:
            raise TimeoutError(f"silence; the last frames are\n{self.emulator.last_frames()}")
        frames, self._pending = split(self._pending + os.read(self._descriptor, 65_536))
        return [frame for _, frame in frames
                if not frame.startswith((b"$GN", b"$GPGSV", b"\xb5\x62\x01"))]

    def answers(self, data, size=None):
        """Returns all answers to commands, which are written in pieces of this size."""
        dialect = self.personality.dialect
        question, last = FENCES[dialect]
        self.write(data + bytes_of(question), size)
        answers, deadline = [], time.monotonic() + 60
        while not answers or not answers[-1].startswith(last):
            check(time.monotonic() < deadline, f"no answer to {question}:\n{self.emulator.last_frames()}")
            answers += self.frames()
        answers.pop()
        if dialect in PREAMBLES:
            check(answers.pop() == bytes_of(PREAMBLES[dialect]), "no acknowledgement of the question")
        return answers


WRONG_CHECKSUM = "$PMTK220,200*2D"
RATE_200 = "B5 62 06 8A 0A 00 00 01 00 00 01 00 21 30 C8 00 B5 81"
RATE_1000 = "B5 62 06 8A 0A 00 00 01 00 00 01 00 21 30 E8 03 D8 C4"
MODEL_4 = "B5 62 06 8A 09 00 00 01 00 00 21 00 11 20 04 F0 4D"
PREDICTIONS = "B5 62 06 8A 09 00 00 01 00 00 01 00 23 10 01 CF C0"
PVT = "B5 62 06 8A 09 00 00 01 00 00 07 00 91 20 01 53 48"
READ_RATE = "B5 62 06 8B 08 00 00 00 00 00 01 00 21 30 EB 07"
LEGACY_RATE = "B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"
LEGACY_PVT = "B5 62 06 01 03 00 01 07 01 13 51"
LEGACY_MODEL = "B5 62 06 24 24 00 01 00 04" + "00" * 33 + "53 70"
LOAD = "B5 62 06 09 0C 00 00 00 00 00 00 00 00 00 1F 1F 00 00 59 68"
PMREQ = "B5 62 02 41 10 00 00 00 00 00 00 00 00 00 06 00 00 00 08 00 00 00 61 6B"
TIME = "B5 62 13 40 18 00 10 00 00 80 EA 07 0B 1B 0C 22 38 00 00 00 00 00 01 00 00 00 00 00 00 00 79 78"
PLACE = "B5 62 13 40 14 00 01 00 00 00 C0 EC 4F 1C E0 24 37 05 50 C3 00 00 20 A1 07 00 9A 8B"
RATE = UBXMessage("CFG", "CFG-VALGET", GET, payload=bytes.fromhex("01000000 01002130 C800")).serialize()

#: The receiver, the commands, the answers.
CONVERSATIONS = [
    (M10, [RATE_200, READ_RATE], [ack(0x068A), RATE, ack(0x068B)]),
    (M10, [RATE_1000, MODEL_4, PREDICTIONS, PVT], [ack(0x068A)] * 4),
    (M10, [LEGACY_RATE, LEGACY_PVT, LEGACY_MODEL], [nak(0x0608), nak(0x0601), nak(0x0624)]),
    (M10, [TIME, PLACE], []),
    (F9P, [LEGACY_PVT, MODEL_4], [ack(0x0601), ack(0x068A)]),
    (M8, [LEGACY_RATE, LEGACY_PVT, LEGACY_MODEL], [ack(0x0608), ack(0x0601), ack(0x0624)]),
    (M8, [RATE_200, READ_RATE], [nak(0x068A), nak(0x068B)]),
    (M8, ["B5 62 06 08 00 00 0E 30"],
     [made_by_pyubx2("CFG-RATE", measRate=1000, navRate=1, timeRef=1), ack(0x0608)]),
    (M8, ["B5 62 06 01 02 00 01 07 11 3A"],
     [made_by_pyubx2("CFG-MSG", msgClass=1, msgID=7), ack(0x0601)]),
    (U6, [LEGACY_PVT, "B5 62 06 3E 00 00 44 D2"], [nak(0x0601), nak(0x063E)]),
    (MT3333, ["$PMTK220,200*2C", "$PMTK400"], ["$PMTK001,220,3", "$PMTK500,200,0,0,0.0,0.0"]),
    (MT3333, ["$PMTK314,-1*04", "$PMTK414"],
     ["$PMTK001,314,3", "$PMTK514,1,1,1,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0"]),
    (MT3333, ["$PMTK869,0", "$PMTK869,1,1*35", "$PMTK869,0"],
     ["$PMTK869,2,0,0", "$PMTK001,869,3", "$PMTK869,2,1,0"]),
    (MT3333, ["$PMTK740,2026,11,27,12,34,56*35"], ["$PMTK001,740,3"]),
    # A wrong checksum, an interval that it lacks, and a command that it does not know.
    (MT3333, [WRONG_CHECKSUM, "$PMTK220,50", "$PMTK886,1"], ["$PMTK001,220,2", "$PMTK001,886,1"]),
    (AG3335, ["$PAIR050,200*21", "$PAIR051"],
     ["$PAIR001,050,1", "$PAIR001,050,0", "$PAIR001,051,0", "$PAIR051,200"]),
    (AG3335, ["$PAIR490,1*2A", "$PAIR491*36"],
     ["$PAIR001,490,1", "$PAIR001,490,0", "$PAIR001,491,0", "$PAIR491,1,0"]),
    (AG3335, ["$PAIR003*39", "$PAIR002*38"], ["$PAIR001,003,0", "$PAIR001,002,0"]),
    (AG3335, ["$PAIR590,2026,11,27,12,34,56*32", "$PAIR600,47.5,8.75,500,5000,5000,0,1000*18"],
     ["$PAIR001,590,0", "$PAIR001,600,0"]),
    (Teseo, ["$PSTMGETPAR,1303", "$PSTMSETPAR,1303,0.2", "$PSTMGETPAR,1303"],
     ["$PSTMSET,1303,1.00", "$PSTMSETPAROK,1303", "$PSTMSET,1303,0.20"]),
    (Teseo, ["$PSTMSETPAR,1304,0.2", "$PSTMINITTIME,27,11,2026,12,34,56*11"],
     ["$PSTMSETPARERROR", "$PSTMINITTIMEOK"]),
    (AT6558, ["BA CE 04 00 06 04 C8 00 00 00 CC 00 06 04", "BA CE 00 00 06 04 00 00 06 04"],
     ["BA CE 04 00 05 01 06 04 00 00 0A 04 05 01", "BA CE 04 00 06 04 C8 00 00 00 CC 00 06 04",
      "BA CE 04 00 05 01 06 04 00 00 0A 04 05 01"]),
    # 300 ms.
    (AT6558, ["BA CE 04 00 06 04 2C 01 00 00 30 01 06 04"], ["BA CE 04 00 05 00 06 04 00 00 0A 04 05 00"]),
    (Venus, ["A0 A1 00 03 0E 05 00 0B 0D 0A", "A0 A1 00 01 10 10 0D 0A"],
     ["A0 A1 00 02 83 0E 8D 0D 0A", "A0 A1 00 02 83 10 93 0D 0A", "A0 A1 00 02 86 05 83 0D 0A"]),
    # 3 Hz.
    (Venus, ["A0 A1 00 03 0E 03 00 0D 0D 0A"], ["A0 A1 00 02 84 0E 8A 0D 0A"]),
]

#: Commands that save something, cost the port, or that no command undoes.
FORBIDDEN = [
    (M10, "B5 62 06 8A 0A 00 00 03 00 00 01 00 21 30 C8 00 B7 93"), (M8, LOAD),
    (M10, ubx(0x068A, bytes.fromhex("00010000 01005240 80250000")).hex()),
    (M8, ubx(0x0600, struct.pack("<BBHIIHHHH", 1, 0, 0, 0x8C0, 9600, 7, 3, 0, 0)).hex()),
    (M8, ubx(0x0604, bytes.fromhex("FFFF0100")).hex()), (F9P, ubx(0x068C, bytes.fromhex("00020000 01002130")).hex()),
    (M10, ubx(0x0241, bytes.fromhex("00000000 00000000 06000000 20000000")).hex()),
    (MT3333, "$PMTK225,4"), (MT3333, "$PMTK104"), (MT3333, "$PMTK251,115200"),
    (AG3335, "$PAIR650,0*25"), (AG3335, "$PAIR513*3D"), (AG3335, "$PAIR864,0,0,115200"),
    (Teseo, "$PSTMSAVEPAR"), (Teseo, "$PSTMSETPAR,3303,0.2"),
    (AT6558, "$PCAS00"), (AT6558, "$PCAS01,1"), (Venus, "A0 A1 00 03 0E 05 01 0A 0D 0A"),
    (Venus, "A0 A1 00 04 05 00 05 00 00 0D 0A"),
]


def conversations():
    """Each manual's examples get the answers of the manual, whole and byte by byte, and the libraries accept them."""
    for kind, commands, expected in CONVERSATIONS:
        expected = [each if isinstance(each, bytes) else bytes_of(each) for each in expected]
        for size in (None, 1):
            with Port(kind()) as port:
                found = port.answers(b"".join(map(bytes_of, commands)), size)
                check([*map(bytes.hex, found)] == [*map(bytes.hex, expected)],
                      f"{kind.__name__}: {commands} gets {found}, not {expected}")
                check(not port.personality.saved, f"saved: {port.personality.saved}")
            for data, is_command in ((b"".join(found), False), (port.emulator.sent, False)):
                faults = [it for protocol, frame in split(data)[0] if (it := fault(protocol, frame, is_command))]
                check(not faults, f"{kind.__name__}: {faults[:3]}")
    for command in {command for _, commands, _ in CONVERSATIONS for command in commands} - {WRONG_CHECKSUM}:
        found = [it for protocol, frame in split(bytes_of(command))[0] if (it := fault(protocol, frame, True))]
        check(not found, f"{command}: {found}")


def forbidden():
    """What would be saved, cost the port or needs a pin is noticed."""
    for kind, command in FORBIDDEN:
        with Port(kind()) as port:
            port.answers(bytes_of(command))
            check(port.personality.saved, f"{kind.__name__} does not notice {command}")


def identities():
    """pyubx2 reads the identities of u-blox."""
    for kind in (U6, M8, F9P, M10):
        with Port(kind()) as port:
            port.write(bytes_of(FENCES["ublox"][0]))
            frames = []
            while not frames:
                frames = port.frames()
        parsed = UBXReader.parse(frames[0])
        texts = [text.rstrip(b"\0").decode() for name, text in vars(parsed).items() if name.startswith("extension")]
        check(texts == list(kind.extensions), f"{kind.__name__}: {texts}")
        check(parsed.swVersion.rstrip(b"\0").decode() == kind.software, f"{parsed}")


def atomicity():
    """An unknown key, and a value that is not allowed: the whole message is refused, and nothing is applied."""
    for data in ("00010000 01002130 C800 01000021 05", "00010000 01002130 C800 01002130 0500",
                 "00010000 01002130 C800 0100", "00010000 1F003110 00 21003110 00 22003110 00 25003110 00"):
        personality = M10()
        with Port(personality) as port:
            check(port.answers(ubx(0x068A, bytes.fromhex(data))) == [nak(0x068A)], f"{data} is not refused")
        check(personality.keys == KEYS, "something was applied")


def masks():
    """A command's mask decides what it changes, so that a wrong mask is noticed."""
    for kind, mask_and_values, changes in (
            (0x0624, bytes((1, 0, 4)) + bytes(33), {2}), (0x0624, bytes((2, 0, 4)) + bytes(33), None),
            (0x0623, bytes((2, 0, 0, 0x40)) + bytes(23) + b"\1" + bytes(12), {27, 30}),
            (0x0623, bytes((2, 0, 0, 4)) + bytes(13) + b"\1" + bytes(22), {17}),
            (0x0623, bytes(27) + b"\1" + bytes(12), "refused"),
            (0x0623, bytes((2, 0, 0, 0)) + bytes(23) + b"\1" + bytes(12), set())):
        personality = M8()
        old = personality.payloads[kind]
        with Port(personality) as port:
            answer = port.answers(ubx(kind, mask_and_values))
        new = personality.payloads[kind]
        found = {index for index in range(len(old)) if old[index] != new[index]}
        if changes == "refused":
            check(answer == [nak(kind)] and not found, f"{kind:04x}: {answer}, {found}")
        elif changes is None:
            check(len(found) > 3, f"{kind:04x}: a wrong mask changes only {found}")
        else:
            check(found == changes, f"{kind:04x}: {found}")


def databases():
    """The navigation database, its end as pyubx2 reads it, and acknowledgements only where they are switched on."""
    part = made_by_pyubx2("MGA-DBD", SET, payload=bytes(12) + bytes(range(100)))
    for kind, switch in ((M8, ubx(0x0623, bytes((2, 0, 0, 4)) + bytes(13) + b"\1" + bytes(22))),
                         (M10, ubx(0x068A, bytes.fromhex("00 01 00 00 25 00 11 10 01")))):
        personality = kind()
        personality.database = [part, part]
        with Port(personality) as port:
            *parts, end = port.answers(ubx(0x1380))
            check(parts == [part, part], f"{kind.__name__}: {parts}")
            check(UBXReader.parse(end, msgmode=GET).msgPayloadStart == 2, f"{kind.__name__}: {end.hex()}")
            check(not port.answers(part), f"{kind.__name__} acknowledges")
            port.answers(switch)
            found, = port.answers(part)
            check(UBXReader.parse(found, msgmode=GET).msgId == 0x80, f"{kind.__name__}: {found.hex()}")
        check(personality.given == [part, part] and not personality.saved, f"{kind.__name__}: {personality.given}")


def sleep():
    """Each form of standby has the effect that it has on that receiver, and a byte ends it."""
    short = ubx(0x0241, bytes.fromhex("00000000 02000000"))
    long = bytes_of(PMREQ)
    without_force = ubx(0x0241, bytes.fromhex("00000000 00000000 02000000 08000000"))
    limited = ubx(0x0241, bytes.fromhex("00000000 0020CC3D 06000000 08000000"))
    for make, command, is_asleep in (
            (M8, short, True), (M8, long, True), (U6, short, True), (U6, long, False), (M10, short, False),
            (M10, without_force, False), (M10, long, True), (lambda: M10("limited"), long, False),
            (lambda: M10("limited"), limited, True), (lambda: M10("never"), limited, False),
            (MT3333, b"$PMTK161,0*28\r\n", True), (AT6558, sentence("PCAS12,65535"), True),
            (AT6558, sentence("PCAS12,65536"), False)):
        with Port(make()) as port:
            question, last = FENCES[port.personality.dialect]
            port.write(command)
            if not is_asleep:
                port.answers(b"")
                check(not port.personality.is_asleep, f"{command} is obeyed")
                continue
            eventually("the sleep", lambda: port.personality.is_asleep)
            port.write(b"\xff" * 8)
            eventually("the end of the sleep", lambda: not port.personality.is_asleep)
            port.answers(b"")
    # It ends by itself, and volatile memory has not outlasted it.
    personality = M10()
    with Port(personality) as port:
        port.answers(bytes_of(RATE_200) + bytes_of(PVT))
        check(personality.interval == 0.2, "no rate")
        port.write(ubx(0x0241, struct.pack("<IIII", 0, 300, 6, 8)))
        eventually("the sleep", lambda: personality.is_asleep)
        eventually("the end of the sleep", lambda: not personality.is_asleep)
        check(personality.interval == 1, "the rate has outlasted backup")
    for kind, stop, start in ((AG3335, "$PAIR003*39", "$PAIR002*38"), (M8, ubx(0x0604, b"\0\0\x08\0").hex(), ubx(
            0x0604, b"\0\0\x09\0").hex()), (Teseo, "$PSTMGPSSUSPEND", "$PSTMGPSRESTART")):
        with Port(kind()) as port:
            port.answers(bytes_of(stop))
            check(b",V," in port.personality.epoch(time.time()), f"{kind.__name__} goes on")
            port.answers(bytes_of(start))
            check(b",A," in port.personality.epoch(time.time()), f"{kind.__name__} does not go on")


def deafness():
    """A receiver whose constellations change does not hear what comes at once."""
    for kind, command, read in ((M10, ubx(0x068A, bytes.fromhex("00010000 25003110 01")), bytes_of(READ_RATE)),
                                (AG3335, sentence("PAIR066,1,0,0,0,0,0"), sentence("PAIR051"))):
        personality = kind()
        with Port(personality) as port:
            port.write(command + read)
            eventually("the loss", lambda: port.emulator.lost == [read])
            eventually("its end", lambda: time.monotonic() > personality.deaf_until)
            check(any(b"PAIR051" in it or it[2:4] == b"\x06\x8b" for it in port.answers(read)), "it stays deaf")


def moods():
    """Refusal, lies, silence about nothing, lost and late answers, whole floods, and loss of power."""
    for make, command, answer in ((M10, RATE_200, nak(0x068A)), (M8, LEGACY_RATE, nak(0x0608)),
                                  (MT3333, "$PMTK220,200*2C", bytes_of("$PMTK001,220,2")),
                                  (AG3335, "$PAIR050,200*21", bytes_of("$PAIR001,050,3")),
                                  (Teseo, "$PSTMSETPAR,1303,0.2", bytes_of("$PSTMSETPARERROR")),
                                  (AT6558, CASIC_200, bytes.fromhex("BACE0400050006040000 0A040500")),
                                  (Venus, "A0 A1 00 03 0E 05 00 0B 0D 0A", bytes.fromhex("A0A10002840E8A0D0A"))):
        for mood in ("refuses", "lies", None):
            personality = make()
            before = personality.values()
            if mood:
                setattr(personality, mood, True)
            with Port(personality) as port:
                found = port.answers(bytes_of(command))
                check((found == [answer]) == (mood == "refuses"), f"{make.__name__} {mood}: {found}")
                check((personality.values() == before) == bool(mood), f"{make.__name__} {mood} has changed")
                port.emulator.lose_power()
                check(personality.values() == before, f"{make.__name__} remembers")
    with Port(M8(is_quiet=True)) as port:
        same = made_by_pyubx2("CFG-RATE", SET, measRate=1000, navRate=1, timeRef=1)
        check(port.answers(same + bytes_of(LEGACY_RATE)) == [ack(0x0608)], "it answers to no change")
    with Port(MT3333(), drops=10) as port:
        check(len(port.answers(bytes_of("$PMTK400") * 20)) == 18, "the tenth answer is not lost")
    with Port(MT3333(), delay=0.3) as port:
        start = time.monotonic()
        port.answers(b"")
        check(time.monotonic() - start >= 0.3, "the answer is not late")
    flood = ubx(0x0A04, b"A" * 65_535)
    with Port(M10(), flood=flood) as port:
        frames = []
        while not frames:
            frames = port.frames()
        check(frames[0] == flood, f"the flood has frames of {len(frames[0])} bytes")
        check(UBXMessage("MON", "MON-VER", POLL).serialize() == bytes_of(FENCES["ublox"][0]), "the question")


CASIC_200 = "BA CE 04 00 06 04 C8 00 00 00 CC 00 06 04"
TESTS = (conversations, forbidden, identities, atomicity, masks, databases, sleep, deafness, moods)
