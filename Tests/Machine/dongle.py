"""A GNSS receiver behind an FTDI converter: its data arrives intact if the baud rates match."""

import fcntl
import math
import os
import random
import re
import select
import sys
import termios
import threading
import time
import tty
from datetime import datetime, timezone

#: The start of the track, its course and, below, its speed: figures that appear nowhere else on the machine.
LATITUDE, LONGITUDE = -43.5321, 172.6362
COURSE = 60.0
#: In metres per second.
SPEED = 8.0

#: Matches a coordinate of the track within the first hour, in degrees or in NMEA format. Also used with grep -E. The
#: last figures of a longer number, such as a time's, are none.
COORDINATES = re.compile(
    r"(^|[^0-9])(43\.[45][0-9]{3}|172\.[6-9][0-9]{3}|43(2[4-9]|3[0-2])\.[0-9]{3}|172[3-5][0-9]\.[0-9]{3})")

#: The number of bytes that wait on the line, at most: an emulated machine may be some seconds late.
UNREAD = 3000

#: The supported baud rates by their constants in termios.
SPEEDS = {getattr(termios, f"B{speed}"): speed for speed in (4800, 9600, 19200, 38400, 57600, 115200)}


def sentence(text):
    """Returns an NMEA sentence with its checksum."""
    checksum = 0
    for byte in text.encode():
        checksum ^= byte
    return f"${text}*{checksum:02X}\r\n".encode()


def reference_frame():
    """Returns the standard's own example of RTCM message 1005 (RTCM 10403.3, section 4.2)."""
    return bytes.fromhex("d300133ed7d30202980edeef34b4bd62ac0941986f33360b98")


def degrees_minutes(value, digits, hemispheres):
    """Returns a coordinate as ddmm.mmmm with its hemisphere."""
    degrees, minutes = divmod(round(abs(value) * 600_000), 600_000)
    return f"{degrees:0{digits}d}{minutes / 10_000:07.4f},{hemispheres[value < 0]}"


def epoch(moment, seconds, speed=SPEED):
    """Returns the sentences of the epoch at `moment`, `seconds` of driving after the start of the track."""
    distance = SPEED * seconds
    latitude = LATITUDE + distance * math.cos(math.radians(COURSE)) / 111_132
    longitude = LONGITUDE + distance * math.sin(math.radians(COURSE)) / (
        111_320 * math.cos(math.radians(LATITUDE)))
    place = f"{degrees_minutes(latitude, 2, 'NS')},{degrees_minutes(longitude, 3, 'EW')}"
    clock = f"{moment:%H%M%S}.00"
    return [
        sentence(f"GPRMC,{clock},A,{place},{speed / 0.514444:.2f},{COURSE:.1f},{moment:%d%m%y},,,A"),
        sentence(f"GPGGA,{clock},{place},1,09,0.9,21.4,M,10.2,M,,"),
        sentence("GPGSA,A,3,02,05,07,13,15,20,21,28,30,,,,1.6,0.9,1.3"),
    ]


class Dongle:
    """Writes an epoch per second, plugged in or not, to the pseudo-terminal behind qemu's USB converter.

    The guest sets the terminal's baud rate through the converter. Data sent at another baud rate arrives as garbage.
    """

    def __init__(self, serial, speed=9600):
        self.serial = serial
        #: In bits per second.
        self.speed = speed
        #: A Boolean value indicating whether the receiver stays where it is.
        self.is_parked = False
        self._random = random.Random(serial)
        self._line, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._line, False)
        self.port = os.ttyname(self._slave)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def stop(self):
        """Stops sending for good."""
        self._stopped.set()
        self._thread.join()
        os.close(self._line)
        os.close(self._slave)

    def read(self, seconds=0):
        """Returns what the machine has written to the converter since the last call, or waits for it at most so long.
        It arrives intact: a receiver that takes corrections has found the baud rate."""
        if not select.select([self._line], [], [], seconds)[0]:
            return b""
        return os.read(self._line, 65536)

    def _send(self):
        last, seconds = time.time(), 0
        while not self._stopped.wait(1 - time.time() % 1):
            now, speed = round(time.time()), 0 if self.is_parked else SPEED
            seconds += now - last if speed else 0
            last = now
            for line in epoch(datetime.fromtimestamp(now, timezone.utc), seconds, speed):
                # Eight data bits plus a start and a stop bit.
                if self._stopped.wait(10 * len(line) / self.speed):
                    return
                self._write(line)

    def _write(self, line):
        heard_at = SPEEDS.get(termios.tcgetattr(self._slave)[5], 0)
        if heard_at != self.speed:
            # A reader at a lower baud rate sees fewer bytes.
            count = max(1, int(len(line) * min(1, heard_at / self.speed)))
            line = bytes(self._random.randrange(0x80, 0x100) for _ in range(count))
        # A real line buffers nothing while its port is closed. This one has room for more than a minute, and the first
        # fix from an opened port would be as old.
        if int.from_bytes(fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)), sys.byteorder) > UNREAD:
            termios.tcflush(self._slave, termios.TCIFLUSH)
        os.write(self._line, line)
