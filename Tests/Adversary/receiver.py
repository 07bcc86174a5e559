"""A receiver without satellites: a pseudo-terminal with ten epochs per second, like those of a u-blox receiver."""

import functools
import operator
import os
import time
import tty

INTERVAL_SECONDS = 0.1


def sentence(body):
    """Returns an NMEA sentence with its checksum."""
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n"


def epoch(tenths):
    """Returns the bytes of the epoch at `tenths` tenths of a second since 1970, and its time as in the protocol."""
    parts = time.gmtime(tenths // 10)
    clock = time.strftime("%H%M%S", parts) + f".{tenths % 10}0"
    minutes = 7.2 + tenths % 100_000 * 0.00041
    place = f"48{minutes:08.5f},N,011{minutes + 3:08.5f},E"
    bodies = [
        f"GPRMC,{clock},A,{place},14.37,54.70,{time.strftime('%d%m%y', parts)},,,A",
        "GPVTG,54.70,T,,M,14.37,N,26.62,K,A",
        f"GPGGA,{clock},{place},1,09,0.94,545.4,M,46.9,M,,",
        "GPGSA,A,3,02,05,07,09,13,16,20,27,30,,,,1.72,0.94,1.44",
        f"GPGLL,{place},{clock},A,A",
    ]
    timestamp = time.strftime("%Y-%m-%dT%H:%M:%S", parts) + f".{tenths % 10}00Z"
    return "".join(map(sentence, bodies)).encode(), timestamp


class Receiver:
    """The serial port. `specification` is the daemon's option for it."""

    def __init__(self):
        self.controller, self.port = os.openpty()
        tty.setraw(self.port)
        os.set_blocking(self.controller, False)
        self.specification = f"serial:{os.ttyname(self.port)}"
        self.tenths = int(time.time() * 10)

    def write_epoch(self):
        """Writes the next epoch in one burst. Returns its time, or None if the port is not read."""
        try:
            while os.read(self.controller, 4096):
                pass
        except BlockingIOError:
            pass
        self.tenths += 1
        data, timestamp = epoch(self.tenths)
        try:
            return timestamp if os.write(self.controller, data) == len(data) else None
        except BlockingIOError:
            return None

    def close(self):
        os.close(self.controller)
        os.close(self.port)
