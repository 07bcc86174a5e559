"""The figures of a report, computed a second time: from the log's own sentences, by the rules that the report states,
and with other formulas. Distances are Vincenty's, whole lists are kept and sorted, nothing is binned.

One thing is the program's own: the accuracy that it estimates for each fix, which decides what is an outlier.
"""

import datetime
import json
import math
import re
import subprocess

SENTENCE = re.compile(rb"\$([^$*\r\n]{4,250})\*([0-9A-Fa-f]{2})")
# Later ones are preferred for the position.
RANKS = {"GLL": 1, "RMC": 2, "GNS": 3, "GGA": 4}


class NotSimple(Exception):
    """The sentences of a log say more than is computed here."""


class Fix:
    """A fix: seconds since 1970, degrees, metres per second, metres."""

    def __init__(self, time, latitude, longitude, speed=None, accuracy=None):
        self.time, self.latitude, self.longitude = time, latitude, longitude
        self.speed, self.accuracy = speed, accuracy


def _degrees(text, sign):
    point = text.index(".") if "." in text else len(text)
    return (float(text[:point - 2] or 0) + float(text[point - 2:]) / 60) * (-1 if sign in "SW" else 1)


def _seconds(text):
    return int(text[:2]) * 3600 + int(text[2:4]) * 60 + float(text[4:])


def epochs(data):
    """Returns the fixes of a well-behaved log, by its RMC, GGA, GNS and GLL."""
    found, epoch, day = [], {}, None

    def end():
        if epoch.get("rank"):
            found.append(dict(epoch, day=day))
        epoch.clear()

    for body, checksum in SENTENCE.findall(data):
        parity = 0
        for byte in body:
            parity ^= byte
        if parity != int(checksum, 16):
            continue
        fields = body.decode("latin-1").split(",")
        kind = fields[0][2:]
        if kind not in RANKS or fields[0][0] == "P":
            continue
        at = {"GLL": 5, "RMC": 1, "GNS": 1, "GGA": 1}[kind]
        if len(fields) <= at or not fields[at]:
            continue
        seconds = _seconds(fields[at])
        if epoch and abs(epoch["seconds"] - seconds) > 0.009:
            end()
        epoch.setdefault("seconds", seconds)
        if kind == "RMC" and len(fields) > 9 and len(fields[9]) == 6:
            two = int(fields[9][4:])
            day = datetime.date(two + (1900 if two >= 80 else 2000), int(fields[9][2:4]), int(fields[9][:2]))
        place = {"GLL": 1, "RMC": 3, "GNS": 2, "GGA": 2}[kind]
        valid = {"GLL": lambda: fields[6] == "A", "RMC": lambda: fields[2] == "A",
                 "GNS": lambda: fields[6].strip("N") != "", "GGA": lambda: fields[6] not in ("", "0")}[kind]()
        if not valid or not fields[place]:
            continue
        if kind == "RMC" and fields[7]:
            epoch["speed"] = float(fields[7]) * 1852 / 3600
        if RANKS[kind] > epoch.get("rank", 0):
            epoch["rank"] = RANKS[kind]
            epoch["latitude"] = _degrees(fields[place], fields[place + 1])
            epoch["longitude"] = _degrees(fields[place + 2], fields[place + 3])
    end()
    zero = datetime.date(1970, 1, 1)
    first = next((epoch["day"] for epoch in found if epoch["day"]), zero)
    return [Fix(((epoch["day"] or first) - zero).days * 86400 + epoch["seconds"], epoch["latitude"],
                epoch["longitude"], epoch.get("speed")) for epoch in found]


def read(locationctl, path):
    """Returns the fixes of a log, with the accuracies that locationctl estimates."""
    with open(path, "rb") as log:
        fixes = epochs(log.read())
    lines = subprocess.run(
        [locationctl, "decode", path], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    decoded = [json.loads(line) for line in lines.splitlines()]
    if len(decoded) != len(fixes):
        raise NotSimple(f"{len(decoded)} fixes, by its sentences {len(fixes)}")
    for fix, other in zip(fixes, decoded):
        fix.accuracy = other.get("horizontalAccuracy")
    return fixes


def distance(a, b):
    """Returns the metres between two places: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid",
    Survey Review 23 (1975)."""
    major, flattening = 6378137.0, 1 / 298.257223563
    minor = major * (1 - flattening)
    u1 = math.atan((1 - flattening) * math.tan(math.radians(a.latitude)))
    u2 = math.atan((1 - flattening) * math.tan(math.radians(b.latitude)))
    difference = math.radians((b.longitude - a.longitude + 180) % 360 - 180)
    turn = difference
    for _ in range(200):
        sine = math.hypot(math.cos(u2) * math.sin(turn),
                          math.cos(u1) * math.sin(u2) - math.sin(u1) * math.cos(u2) * math.cos(turn))
        if sine == 0:
            return 0.0
        cosine = math.sin(u1) * math.sin(u2) + math.cos(u1) * math.cos(u2) * math.cos(turn)
        arc = math.atan2(sine, cosine)
        azimuth = math.cos(u1) * math.cos(u2) * math.sin(turn) / sine
        squared = 1 - azimuth * azimuth
        middle = cosine - 2 * math.sin(u1) * math.sin(u2) / squared if squared else 0
        c = flattening / 16 * squared * (4 + flattening * (4 - 3 * squared))
        before = turn
        turn = difference + (1 - c) * flattening * azimuth * (
            arc + c * sine * (middle + c * cosine * (2 * middle * middle - 1)))
        if abs(turn - before) < 1e-14:
            break
    u = squared * (major * major - minor * minor) / (minor * minor)
    k = 1 + u / 16384 * (4096 + u * (u * (320 - 175 * u) - 768))
    b_ = u / 1024 * (256 + u * (u * (74 - 47 * u) - 128))
    correction = b_ * sine * (middle + b_ / 4 * (
        cosine * (2 * middle * middle - 1)
        - b_ / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)))
    return minor * k * (arc - correction)


def without_outliers(fixes):
    """Returns the fixes that are no outliers."""
    def reaches(a, b):
        speeds = [fix.speed for fix in (a, b) if fix.speed is not None]
        speed = 2 * max(speeds) + 10 if speeds else 340
        accuracies = sum(10 if fix.accuracy is None else fix.accuracy for fix in (a, b))
        return distance(a, b) <= speed * abs(b.time - a.time) + 3 * accuracies

    kept, doubtful = [], []
    for fix in fixes:
        if not kept or reaches(kept[-1], fix):
            kept.append(fix)
            doubtful = []
            continue
        doubtful = doubtful + [fix] if doubtful and reaches(doubtful[-1], fix) else [fix]
        if len(doubtful) > 3:
            kept.append(fix)
            doubtful = []
    return kept


def travelled(fixes):
    """Returns the metres travelled, in steps of at least 10 m."""
    total, last = 0.0, fixes[0]
    for fix in fixes:
        step = distance(last, fix)
        if step >= 10:
            total, last = total + step, fix
    return total


def gaps(fixes):
    """Returns the starts and lengths of the gaps in seconds: longer than three median intervals, and than a second."""
    intervals = [(b.time - a.time, a.time) for a, b in zip(fixes, fixes[1:])]
    if not intervals:
        return []
    ordered = sorted(length for length, _ in intervals)
    median = ordered[max(0, math.ceil(len(ordered) / 2) - 1)]
    # The report's threshold is rounded up by at most one part in 1024.
    return [(start, length) for length, start in intervals if length > max(1, 3 * median) * (1 + 1 / 1024)]


def _offset(origin, fix):
    """Returns metres to the east and to the north, by the radii of curvature."""
    squared = (2 - 1 / 298.257223563) / 298.257223563
    latitude = math.radians((origin.latitude + fix.latitude) / 2)
    root = math.sqrt(1 - squared * math.sin(latitude) ** 2)
    return (math.radians(fix.longitude - origin.longitude) * 6378137 / root * math.cos(latitude),
            math.radians(fix.latitude - origin.latitude) * 6378137 * (1 - squared) / root ** 3)


def stand_stills(fixes):
    """Returns start, duration, number of fixes, CEP50 and CEP95 of each stand-still."""
    found, run, points = [], [], []

    def end():
        if run and run[-1].time - run[0].time >= 120 - 1e-6:
            east, north = (sum(values) / len(points) for values in zip(*points))
            radii = sorted(math.hypot(x - east, y - north) for x, y in points)
            rank = lambda share: radii[math.ceil(share * len(radii)) - 1]
            found.append((run[0].time, run[-1].time - run[0].time, len(run), rank(0.5), rank(0.95)))
        run.clear()
        points.clear()

    for fix in fixes:
        moves = (fix.speed or 0) >= 2
        if run and not moves and fix.time - run[-1].time <= 60:
            point = _offset(run[0], fix)
            east, north = (sum(values) / len(points) for values in zip(*points))
            if math.hypot(point[0] - east, point[1] - north) <= 50:
                run.append(fix)
                points.append(point)
                continue
        end()
        if not moves:
            run.append(fix)
            points.append((0.0, 0.0))
    end()
    return found


def _moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if isinstance(text, str) else text


def compare(figures, fixes):
    """Returns the differences between a report's figures and a second computation."""
    section, = figures["sections"]
    differences = []

    def same(name, reported, computed, tolerance):
        if abs(reported - computed) > tolerance:
            differences.append(f"{name}: reported {reported}, computed {computed}")

    same("fixes", section["fixes"], len(fixes), 0)
    good = without_outliers(fixes)
    same("outliers", section["outlierCount"], len(fixes) - len(good), 0)
    same("distance", section["distance"], travelled(good), 0.001 + 1e-6 * section["distance"])
    computed = gaps(fixes)
    same("gaps", section["gapCount"], len(computed), 0)
    if section["gapCount"] <= 20:
        for gap, (start, length) in zip(section["gaps"], computed):
            same("start of a gap", _moment(gap["start"]), start, 0.0015)
            same("length of a gap", gap["duration"], length, 0.0025)
    stills = stand_stills(good)
    same("stand-stills", section["standStillCount"], len(stills), 0)
    for still, (start, duration, count, cep50, cep95) in zip(section["standStills"], stills):
        same("start of a stand-still", _moment(still["start"]), start, 0.0015)
        same("length of a stand-still", still["duration"], duration, 0.0025)
        same("fixes of a stand-still", still["fixes"], count, 0)
        tolerance = 0.001 + 0.75 * still["cellWidth"]
        same("CEP50", still["cep50"], cep50, tolerance)
        same("CEP95", still["cep95"], cep95, tolerance)
    summary = f"{len(fixes)} fixes, {section['distance']:.1f} m, {len(computed)} gaps, {len(stills)} stand-stills"
    if stills:
        longest = max(stills, key=lambda still: still[1])
        summary += f", CEP50 {longest[3]:.3f} m and CEP95 {longest[4]:.3f} m in the longest"
    return differences, summary
