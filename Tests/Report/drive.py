"""A made-up log of a drive with all that a report shows: stops, tunnels, outliers, four constellations."""

import datetime
import math
import random

METRES = 111_320
SYSTEMS = {"GP": 9, "GL": 6, "GA": 7, "GB": 7}


def sentence(body):
    parity = 0
    for character in body:
        parity ^= ord(character)
    return f"${body}*{parity:02X}\r\n"


def _coordinate(value, width, signs):
    degrees = int(abs(value))
    return f"{degrees:0{width}d}{(abs(value) - degrees) * 60:08.5f},{signs[value < 0]}"


class Drive:
    """A car with a receiver of 1 Hz."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.latitude, self.longitude, self.heading = 59.3, 18.05, 0.6
        self.speed = self.target = 0.0
        self.noise = [0.0, 0.0]
        self.sky = {talker: [[number + 1, self.random.randint(8, 80), self.random.randrange(360),
                              self.random.randint(25, 47)] for number in range(count)]
                    for talker, count in SYSTEMS.items()}

    def move(self, second):
        if second % 600 == 0:
            self.target = 0 if second < 600 else self.random.choice([0, 0, 8, 14, 25, 33])
        self.speed += (self.target - self.speed) * 0.05
        if self.target == 0 and self.speed < 0.3:
            self.speed = 0
        if self.speed:
            self.heading += self.random.gauss(0, 0.03)
        self.latitude += self.speed * math.cos(self.heading) / METRES
        self.longitude += self.speed * math.sin(self.heading) / self._metres_east()
        self.noise = [0.98 * value + self.random.gauss(0, 0.35) for value in self.noise]

    def _metres_east(self):
        return METRES * math.cos(math.radians(self.latitude))

    def epoch(self, moment, second, has_fix):
        """Returns the sentences of a second."""
        clock, date = moment.strftime("%H%M%S.00"), moment.strftime("%d%m%y")
        if has_fix:
            leap = 0.03 if second % 3000 == 2222 else 0
            place = (_coordinate(self.latitude + leap + self.noise[0] / METRES, 2, "NS") + ","
                     + _coordinate(self.longitude + self.noise[1] / self._metres_east(), 3, "EW"))
            dilution = 0.8 + 0.6 * abs(math.sin(second / 700)) + self.random.random() * 0.2
            altitude = 30 + 25 * math.sin(second / 900) + self.random.gauss(0, 0.6)
            knots = (self.speed + abs(self.random.gauss(0, 0.1))) * 3600 / 1852
            course = math.degrees(self.heading) % 360
            text = sentence(f"GNRMC,{clock},A,{place},{knots:.3f},{course:.1f},{date},,,A")
            text += sentence(f"GNGGA,{clock},{place},1,12,{dilution:.2f},{altitude:.1f},M,23.4,M,,")
        else:
            text = sentence(f"GNRMC,{clock},V,,,,,,,{date},,,N")
            text += sentence(f"GNGGA,{clock},,,,,0,00,99.99,,,,,,")
        return text + "".join(self._satellites(second, has_fix))

    def _satellites(self, second, has_fix):
        for system, (talker, satellites) in enumerate(self.sky.items(), 1):
            used = [f"{number:02d}" for number, elevation, _, _ in satellites if has_fix and elevation > 15]
            twelve = ",".join((used + [""] * 12)[:12])
            yield sentence(f"GNGSA,A,{3 if has_fix else 1},{twelve},1.6,1.0,1.3,{system}")
            total = (len(satellites) + 3) // 4
            for message in range(total):
                body = ",".join(
                    f"{number:02d},{elevation + int(8 * math.sin(second / 6000 + number)):02d},"
                    f"{int(azimuth + second / 240) % 360:03d},{signal + self.random.randint(-1, 1):02d}"
                    for number, elevation, azimuth, signal in satellites[4 * message:4 * message + 4])
                yield sentence(f"{talker}GSV,{total},{message + 1},{len(satellites):02d},{body},1")


def write(path, seconds, seed=5, start=datetime.datetime(2026, 11, 20, 23, 10)):
    """Writes a log: 24 s without a fix at its beginning, and a tunnel of 95 s every 2500 s."""
    drive = Drive(seed)
    with open(path, "w", newline="") as log:
        for second in range(seconds):
            drive.move(second)
            has_fix = second >= 24 and (second % 2500 < 1800 or second % 2500 >= 1895)
            log.write(drive.epoch(start + datetime.timedelta(seconds=second), second, has_fix))
