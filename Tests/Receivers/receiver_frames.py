"""The frames of receivers: found in bytes, and parsed by the libraries of others."""

import struct

import pynmeagps
import pyubx2
from made_frames import casic, skytraq

WAKE = 0xFF


def split(data):
    """Returns the frames in the bytes, as (protocol, bytes), and the bytes after the last whole one.

    Bytes that begin no frame have the protocol "noise".
    """
    frames = []
    while data:
        if data[0] == ord("$"):
            end = data.find(b"\n") + 1
            if not end:
                break
            frames.append(("nmea", data[:end]))
        elif data[:2] in (b"\xb5\x62", b"\xba\xce", b"\xa0\xa1") or len(data) == 1 and data[0] in (0xB5, 0xBA, 0xA0):
            place, order, overhead = {0xB5: (4, "<H", 8), 0xBA: (2, "<H", 10), 0xA0: (2, ">H", 7)}[data[0]]
            if len(data) < place + 2:
                break
            end = struct.unpack_from(order, data, place)[0] + overhead
            if len(data) < end:
                break
            frames.append(({0xB5: "ubx", 0xBA: "casic", 0xA0: "skytraq"}[data[0]], data[:end]))
        elif data[0] == 0xD3:
            # RTCM 3, whose CRC others check.
            if len(data) < 3:
                break
            end = (struct.unpack_from(">H", data, 1)[0] & 0x3FF) + 6
            if len(data) < end:
                break
            frames.append(("rtcm", data[:end]))
        else:
            end = 1
            frames.append(("noise", data[:1]))
        data = data[end:]
    return frames, data


def fault(protocol, frame, is_command):
    """Returns what is wrong with a frame, by the word of others where there is one, or None."""
    try:
        if protocol == "nmea":
            pynmeagps.NMEAReader.parse(frame, validate=pynmeagps.VALCKSUM)
            # Quectel, "PAIR packet": at most 255 bytes.
            return None if frame.endswith(b"\r\n") and len(frame) <= 255 else f"no sentence: {frame!r}"
        elif protocol == "ubx":
            modes = (pyubx2.SET, pyubx2.POLL) if is_command else (pyubx2.GET,)
            parsed = [_parsed_as(frame, mode) for mode in modes]
            if not any(parsed):
                return f"pyubx2 does not know {frame.hex(' ')}"
        elif protocol == "casic":
            return None if casic(struct.unpack_from(">H", frame, 4)[0], frame[6:-4]) == frame else "wrong checksum"
        elif protocol == "rtcm":
            return None if is_command else f"a receiver that sends RTCM 3: {frame.hex()}"
        elif protocol == "skytraq":
            return None if skytraq(frame[4:-3]) == frame else "wrong checksum"
        elif not is_command or frame[0] != WAKE:
            return f"a byte that begins nothing: {frame.hex()}"
    except pynmeagps.NMEAParseError as error:
        return f"{error}: {frame!r}"
    return None


def _parsed_as(frame, mode):
    """Returns whether pyubx2 reads the frame in this mode and writes the same bytes again."""
    try:
        return pyubx2.UBXReader.parse(frame, msgmode=mode, validate=pyubx2.VALCKSUM).serialize() == frame
    except (pyubx2.UBXParseError, pyubx2.UBXMessageError, pyubx2.UBXTypeError):
        return False
