"""The frames of receivers, made without the libraries of others."""

import functools
import operator
import struct


def sentence(body):
    """Returns an NMEA sentence with its checksum."""
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n".encode()


def ubx(kind, payload=b""):
    """Returns a frame of u-blox: the class and the identifier are the two bytes of `kind`."""
    body = struct.pack(">H", kind) + struct.pack("<H", len(payload)) + payload
    a = b = 0
    for byte in body:
        a = (a + byte) & 0xFF
        b = (b + a) & 0xFF
    return b"\xb5\x62" + body + bytes((a, b))


def casic(kind, payload=b""):
    """Returns a frame of CASIC's binary protocol."""
    words = payload + bytes(-len(payload) % 4)
    checksum = ((kind & 0xFF) << 24) + ((kind >> 8) << 16) + len(payload)
    checksum += sum(struct.unpack(f"<{len(words) // 4}I", words))
    head = b"\xba\xce" + struct.pack("<H", len(payload)) + struct.pack(">H", kind)
    return head + payload + struct.pack("<I", checksum & 0xFFFFFFFF)


def skytraq(payload):
    """Returns a frame of SkyTraq's binary protocol."""
    checksum = functools.reduce(operator.xor, payload)
    return b"\xa0\xa1" + struct.pack(">H", len(payload)) + payload + bytes((checksum, 0x0D, 0x0A))


def crc24q(data):
    """Returns the CRC-24Q of bytes: 0 for a whole frame of RTCM 3."""
    crc = 0
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc = crc << 1 ^ (0x1864CFB if crc & 0x800000 else 0)
    return crc


def rtcm(payload):
    """Returns a frame of RTCM 3."""
    data = b"\xd3" + struct.pack(">H", len(payload)) + payload
    return data + crc24q(data).to_bytes(3, "big")


def measurements(number, moment, content=bytes(20)):
    """Returns a frame of MSM, by default without satellites, at a moment in milliseconds."""
    return rtcm((number << 44 | 7 << 32 | moment << 2).to_bytes(7, "big") + content)
