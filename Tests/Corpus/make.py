#!/usr/bin/env python3
"""Makes the logs in logs/ and, from the same journeys, the fixes in expected/ that a reader must find in them.

A log is the output of a receiver that makes the journey. An expected fix is a moment of the journey at which a valid,
intact sentence contains the position, with the other data in the sentences of that moment:

time    once the receiver has sent its date; corrected by 1024 weeks if that date is before 2017
mode    2 or 3, from GSA
lat, lon, altMSL, altHAE (metres), speed (m/s), track (degrees), hdop
"""
import json
import pathlib
import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from math import cos, radians, sin

from sentences import Moment, Style, gga, gll, gns, gsa, gst, gsv, rmc, sentence, vtg, zda

FOLDER = pathlib.Path(__file__).parent


class Log:
    def __init__(self, name: str):
        self.name = name
        self.bytes = bytearray()
        self.fixes = []

    def send(self, *sentences: str):
        for text in sentences:
            self.bytes += text.encode("latin1")

    def expect(self, m: Moment, told: str, mode: int | None = None, dated: bool = True):
        """Adds an expected fix. `told` lists the data besides the position: altitude, motion, hdop."""
        fix = {"time": m.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")} if dated else {}
        if mode:
            fix["mode"] = mode
        fix |= {"lat": round(m.latitude, 9), "lon": round(m.longitude, 9)}
        if "altitude" in told:
            fix |= {"altMSL": m.altitude, "altHAE": round(m.altitude + m.separation, 1)}
        if "motion" in told:
            fix["speed"] = round(m.knots * 1852 / 3600, 3)
            if m.course is not None:
                fix["track"] = m.course
        if "hdop" in told:
            fix["hdop"] = m.hdop
        self.fixes.append(fix)

    def write(self):
        for folder in ("logs", "expected"):
            (FOLDER / folder).mkdir(exist_ok=True)
        (FOLDER / "logs" / f"{self.name}.nmea").write_bytes(self.bytes)
        lines = "".join(json.dumps(fix) + "\n" for fix in self.fixes)
        (FOLDER / "expected" / f"{self.name}.jsonl").write_text(lines)


def journey(start: str, count: int, latitude: float, longitude: float, knots: float, course: float, altitude: float,
            separation: float, step: float = 1, turn: float = 0, climb: float = 0, hdop: float = 0.9) -> list[Moment]:
    """Returns `count` moments, `step` seconds apart. `turn` and `climb` are degrees and metres per step."""
    moments = []
    time = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)
    for index in range(count):
        moments.append(Moment(
            time + timedelta(seconds=index * step), latitude, longitude, round(altitude + index * climb, 1), separation,
            knots, round(course % 360, 1) % 360, hdop))
        metres = knots * 1852 / 3600 * step
        latitude += metres * cos(radians(course)) / 111_195
        longitude += metres * sin(radians(course)) / 111_195 / cos(radians(latitude))
        longitude = (longitude + 180) % 360 - 180
        course += turn
    return moments


def sky(seed: int, numbers: list[int]) -> list[tuple[int, int, int, int]]:
    rng = random.Random(seed)
    return [(n, rng.randrange(3, 88), rng.randrange(360), rng.choice([0, 18, 25, 31, 38, 44])) for n in numbers]


def ublox():
    """Writes NMEA 4.11 with system and signal ids: without a fix, then stationary without a course, then moving."""
    log, style = Log("ublox"), Style(status="V")
    for index, m in enumerate(journey("2026-05-04T07:15:00", 10, 47.18672, 8.55183, 3.4, 77.5, 499.6, 48, turn=2.5)):
        if index < 3:
            log.send(rmc(m, style, False), sentence("GNVTG,,,,,,,,,N"), gga(m, style, 0))
            log.send(*(gsa(m, style, [], 1, system) for system in (1, 2, 3, 4)), gll(m, style, False))
            continue
        if index < 6:
            m = replace(m, knots=0.0, course=None)
        log.send(rmc(m, style), vtg(m, style), gga(m, style, satellites=12))
        log.send(gsa(m, style, [3, 6, 9, 14, 22], 3, 1), gsa(m, style, [68, 77], 3, 2))
        log.send(gsa(m, style, [5, 9, 31], 3, 3), gsa(m, style, [20, 29], 3, 4))
        log.send(*gsv("GP", sky(index, [3, 6, 9, 14, 17, 22]), 1), *gsv("GP", sky(index, [3, 6, 9]), 8))
        log.send(*gsv("GL", sky(index, [68, 77]), 1), *gsv("GA", sky(index, [5, 9, 31]), 7))
        log.send(*gsv("GB", sky(index, [20, 29]), 1), *gsv("GQ", [], 0), gll(m, style))
        log.expect(m, "altitude motion hdop", mode=3)
    log.write()


def ten_hertz():
    """Writes GGA and RMC ten times a second, in the western hemisphere, across the end of an hour."""
    log, style = Log("ten-hertz"), Style(minutes=7)
    for m in journey("2026-06-21T13:59:58.300", 40, 64.1466, -21.9426, 48.6, 355.5, 14, 65.8, 0.1, turn=0.4, climb=0.1):
        log.send(gga(m, style, satellites=17), rmc(m, style))
        log.expect(m, "altitude motion hdop")
    log.write()


def marine():
    """Writes GNS and ZDA beside instruments and a plotter that repeats positions, across the antimeridian."""
    log, style = Log("marine"), Style(talker="GP", minutes=4)
    plotter = Style(talker="EC", minutes=2, seconds=0)
    moments = journey("2026-02-11T22:04:10", 14, -16.80412, 179.99962, 14.2, 97.3, 4.1, 55.3, turn=-0.7)
    for index, m in enumerate(moments):
        log.send(sentence(f"HCHDG,{m.course - 9.2:.1f},0.0,E,12.6,E"), sentence("SDDBT,26.9,f,8.2,M,4.5,F"))
        log.send(zda(m, style), gns(m, style, "AAN", 13), vtg(m, style))
        log.send(sentence(f"WIMWV,{(index * 7 + 181) % 360:.1f},R,11.{index % 10},N,A"))
        log.send(sentence("IIVHW,,T,88.1,M,13.9,N,,"))
        log.send("!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n")
        if index > 0:
            log.send(rmc(moments[index - 1], plotter))
        log.expect(m, "altitude motion hdop")
    log.write()


def old_receiver():
    """Writes NMEA 2.0: a date in every fourth second only, none at first, with midnight between two of them."""
    log, style = Log("old-receiver"), Style(talker="GP", minutes=4, seconds=0, modes=False)
    for index, m in enumerate(journey("2026-09-30T23:59:53", 16, 37.8608, 145.1226, 5.0, 271.0, 31.2, 2.4, hdop=1.9)):
        dates = index % 4 == 2
        if dates:
            log.send(rmc(m, style))
        log.send(gga(m, style, satellites=5), gll(m, style), gsa(m, style, [2, 7, 11, 19, 28]))
        if index % 5 == 0:
            log.send(*gsv("GP", sky(index, [2, 7, 11, 19, 27, 28, 31])))
        log.expect(m, "altitude hdop" + (" motion" if dates else ""), mode=3, dated=index >= 2)
    log.write()


def week_rollover():
    """Writes the dates of a receiver that mistakes this cycle of the GPS week number for the previous one."""
    log, style = Log("week-rollover"), Style(talker="GP", minutes=4, seconds=3)
    for m in journey("2026-04-18T23:59:55", 12, 52.3702, 4.8952, 8.3, 188.0, -1.5, 45.9, turn=3):
        told = (m.time - timedelta(weeks=1024)).strftime("%d%m%y")
        log.send(rmc(m, style, date=told), gga(m, style), gsa(m, style, [1, 4, 12, 17]))
        log.expect(m, "altitude motion hdop", mode=3)
    log.write()


def southwest():
    """Writes one talker per constellation: south, west and below sea level, at first with 2D fixes."""
    log, style = Log("southwest"), Style(talker="GP", minutes=6, seconds=3)
    several = Style(talker="GN")
    moments = journey("2026-12-31T23:59:56", 9, -49.576, -68.352, 21.7, 301.4, -105.3, 11.8, climb=0.4)
    for index, m in enumerate(moments):
        mode = 2 if index < 3 else 3
        log.send(*gsv("GP", sky(index, [10, 16, 23, 26, 27, 32])), *gsv("GL", sky(index, [66, 82, 83])))
        log.send(*gsv("GA", sky(index, [1, 4])), *gsv("BD", sky(index, [206, 211])), *gsv("QZ", sky(index, [193])))
        log.send(gga(m, style, satellites=9), gsa(m, several, [10, 16, 23, 26, 32], mode))
        log.send(gsa(m, several, [66, 82], mode), rmc(m, style), vtg(m, style))
        log.expect(m, "altitude motion hdop", mode=mode)
    log.write()


def tunnel():
    """Writes a fix that is lost and comes back, with one GSV sentence per second."""
    log, style = Log("tunnel"), Style(talker="GP", minutes=4, seconds=3)
    satellites = gsv("GP", sky(5, [4, 9, 16, 21, 26, 27, 29, 31]))
    for index, m in enumerate(journey("2026-11-02T17:42:08", 20, 45.8326, 6.9653, 37.8, 131.0, 1274, 51.6, climb=-0.9)):
        fixed = not 7 <= index < 13
        log.send(gga(m, style, int(fixed)), gll(m, style, fixed))
        log.send(gsa(m, style, [4, 9, 16, 21]) if fixed else gsa(m, style, [], 1))
        log.send(satellites[index % 2], rmc(m, style, fixed))
        if fixed:
            log.expect(m, "altitude motion hdop", mode=3)
    log.write()


def leap_day():
    """Writes RTK fixes five times a second, into a leap day, across the equator and the prime meridian."""
    log, style = Log("leap-day"), Style(minutes=7)
    for m in journey("2028-02-28T23:59:58.200", 25, -0.0000314, 0.0000182, 4.4, 322.0, 0.8, 17.2, 0.2, hdop=0.6):
        quality = 5 if m.time.second % 2 else 4
        log.send(gga(m, style, quality, 24), gsa(m, style, [7, 8, 11, 30], 3, 1), gst(m, style, 0.014))
        log.send(rmc(m, style), vtg(m, style))
        log.expect(m, "altitude motion hdop", mode=3)
    log.write()


def noisy_line():
    """Writes transmission errors, and valid output of receivers that only looks wrong."""
    log, style, rng = Log("noisy-line"), Style(talker="GP", minutes=4), random.Random(7)

    def wrong(text: str) -> str:
        at = rng.choice([i for i, c in enumerate(text[:-5]) if c.isdigit()])
        return rng.choice([
            text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:],  # a changed digit
            text[:rng.randrange(8, len(text) - 5)],  # cut off, and directly followed by the next sentence
            text[:-5] + "\r\n",  # no checksum
            text[:-4] + "G0\r\n",
        ])

    def odd(text: str) -> str:
        return rng.choice([
            "$" + text, "\x00\xff\xb5b\x01\x07\\" + text,
            text[:-2], text[:-2] + "\r\r\n", text[:-4] + text[-4:].lower(),
            sentence("GPTXT,01,01,02,a*b") + text, "$GPGSV,3,1," + text,
        ])

    for index, m in enumerate(journey("2026-07-09T04:30:00", 40, 51.4779, -0.0015, 9.7, 88.0, 45.4, 45.4, turn=1)):
        damaged = {part: index > 1 and rng.random() < 0.3 for part in ("rmc", "gga", "gsa")}
        if damaged["rmc"] and damaged["gga"]:
            damaged["gsa"] = True
        for part, text in (("rmc", rmc(m, style)), ("gga", gga(m, style)), ("gsa", gsa(m, style, [2, 5, 13, 15]))):
            log.send(wrong(text) if damaged[part] else odd(text) if rng.random() < 0.4 else text)
        told = [] if damaged["rmc"] else ["motion"]
        told += [] if damaged["gga"] else ["altitude"]
        told += [] if damaged["gga"] and damaged["gsa"] else ["hdop"]
        if not (damaged["rmc"] and damaged["gga"]):
            log.expect(m, " ".join(told), mode=None if damaged["gsa"] else 3)
    log.write()


for make in (ublox, ten_hertz, marine, old_receiver, week_rollover, southwest, tunnel, leap_day, noisy_line):
    make()
