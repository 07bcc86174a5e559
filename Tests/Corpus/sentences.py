"""NMEA 0183 sentences (version 4.11, field tables) for a moment of a journey."""
import functools
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Moment:
    """The position and the motion of a receiver."""
    time: datetime
    latitude: float  # degrees
    longitude: float
    altitude: float  # metres above mean sea level
    separation: float  # metres from the ellipsoid up to mean sea level
    knots: float
    course: float | None  # degrees, or None if it is not sent
    hdop: float


@dataclass(frozen=True)
class Style:
    """The properties in which receivers differ."""
    talker: str = "GN"
    seconds: int = 2  # digits after the decimal point
    minutes: int = 5
    modes: bool = True  # the mode fields of NMEA 2.3
    status: str = ""  # the last field of RMC in NMEA 4.1


def sentence(body: str, end: str = "\r\n") -> str:
    return f"${body}*{functools.reduce(lambda sum, c: sum ^ ord(c), body, 0):02X}{end}"


def clock(m: Moment, s: Style) -> str:
    fraction = f".{m.time.microsecond // 10 ** (6 - s.seconds):0{s.seconds}d}" if s.seconds else ""
    return m.time.strftime("%H%M%S") + fraction


def angle(degrees: float, width: int, names: str, s: Style) -> str:
    """Returns degrees, minutes and the hemisphere: `4711.20000,N`."""
    unit = 10 ** s.minutes
    whole, parts = divmod(round(abs(degrees) * 60 * unit), 60 * unit)
    minutes, fraction = divmod(parts, unit)
    return f"{whole:0{width}d}{minutes:02d}.{fraction:0{s.minutes}d},{names[degrees < 0]}"


def place(m: Moment, s: Style) -> str:
    return angle(m.latitude, 2, "NS", s) + "," + angle(m.longitude, 3, "EW", s)


def rmc(m: Moment, s: Style, valid: bool = True, date: str | None = None) -> str:
    course = "" if m.course is None else f"{m.course:.1f}"
    date = date or m.time.strftime("%d%m%y")
    fields = ["A", place(m, s), f"{m.knots:.1f}", course] if valid else ["V", ",,,", "", ""]
    mode = ("," + "NA"[valid] if s.modes else "") + ("," + s.status if s.status else "")
    return sentence(f"{s.talker}RMC,{clock(m, s)},{','.join(fields)},{date},,{mode}")


def gga(m: Moment, s: Style, quality: int = 1, satellites: int = 8) -> str:
    if quality == 0:
        return sentence(f"{s.talker}GGA,{clock(m, s)},,,,,0,00,99.99,,,,,,")
    return sentence(
        f"{s.talker}GGA,{clock(m, s)},{place(m, s)},{quality},{satellites:02d},{m.hdop:.2f},"
        f"{m.altitude:.1f},M,{m.separation:.1f},M,,")


def gns(m: Moment, s: Style, modes: str, satellites: int) -> str:
    return sentence(
        f"{s.talker}GNS,{clock(m, s)},{place(m, s)},{modes},{satellites:02d},{m.hdop:.2f},"
        f"{m.altitude:.1f},{m.separation:.1f},,")


def gll(m: Moment, s: Style, valid: bool = True) -> str:
    mode = "," + "NA"[valid] if s.modes else ""
    return sentence(f"{s.talker}GLL,{place(m, s) if valid else ',,,'},{clock(m, s)},{'VA'[valid]}{mode}")


def vtg(m: Moment, s: Style) -> str:
    course = "" if m.course is None else f"{m.course:.1f}"
    return sentence(
        f"{s.talker}VTG,{course},T,,M,{m.knots:.1f},N,{m.knots * 1.852:.3f},K" + (",A" if s.modes else ""))


def zda(m: Moment, s: Style) -> str:
    return sentence(f"{s.talker}ZDA,{clock(m, s)},{m.time.strftime('%d,%m,%Y')},00,00")


def gst(m: Moment, s: Style, error: float) -> str:
    return sentence(f"{s.talker}GST,{clock(m, s)},{error * 4:.3f},,,,{error:.3f},{error:.3f},{error * 2:.3f}")


def gsa(m: Moment, s: Style, used: list[int], mode: int = 3, system: int | None = None) -> str:
    numbers = ",".join(f"{n:02d}" for n in used) + "," * (12 - max(1, len(used)))
    dilution = "99.99,99.99,99.99" if mode == 1 else f"{m.hdop * 2:.2f},{m.hdop:.2f},{m.hdop * 1.7:.2f}"
    return sentence(f"{s.talker}GSA,A,{mode},{numbers},{dilution}" + (f",{system}" if system else ""))


def gsv(talker: str, satellites: list[tuple[int, int, int, int]], signal: int | None = None) -> list[str]:
    """Returns the GSV sentences for satellites of number, elevation, azimuth and signal strength (0: not tracked)."""
    def fields(number: int, elevation: int, azimuth: int, strength: int) -> str:
        return f",{number:02d},{elevation:02d},{azimuth:03d},{strength or ''}"

    sets = [satellites[i:i + 4] for i in range(0, len(satellites), 4)] or [[]]
    end = "" if signal is None else f",{signal}"
    return [
        sentence(
            f"{talker}GSV,{len(sets)},{number},{len(satellites):02d}{''.join(fields(*one) for one in part)}{end}")
        for number, part in enumerate(sets, 1)
    ]
