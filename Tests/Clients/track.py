"""A receiver that travels north, one epoch a second, and writes to several ports at once."""

import functools
import operator
import os
import socket
import threading
import time
import tty

LATITUDE, LONGITUDE = 47.0, 8.5
STEP = 0.0001


def sentence(body):
    """Returns an NMEA sentence with its checksum."""
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n"


def epoch_at(latitude):
    """Returns the index of the epoch with that latitude."""
    return round((latitude - LATITUDE) / STEP)


def epoch(index, seconds):
    """Returns the sentences of an epoch: `index` steps north of the beginning, at `seconds` since 1970."""
    parts = time.gmtime(seconds)
    clock = time.strftime("%H%M%S.00", parts)
    minutes = (LATITUDE + index * STEP) % 1 * 60
    place = f"{int(LATITUDE + index * STEP):02d}{minutes:08.5f},N,00830.00000,E"
    bodies = [
        f"GPRMC,{clock},A,{place},21.60,0.00,{time.strftime('%d%m%y', parts)},,,A",
        f"GPGGA,{clock},{place},1,05,0.90,545.4,M,46.9,M,,",
        "GPGSA,A,3,04,05,09,12,24,,,,,,,,1.50,0.90,1.20",
        "GPGSV,2,1,05,04,40,083,46,05,17,308,41,09,07,344,39,12,22,228,45",
        "GPGSV,2,2,05,24,55,120,42",
    ]
    return "".join(map(sentence, bodies))


class Port:
    """A serial port, for one reader."""

    def __init__(self):
        self.controller, self.port = os.openpty()
        tty.setraw(self.port)
        os.set_blocking(self.controller, False)
        self.path = os.ttyname(self.port)
        os.chmod(self.path, 0o666)

    def write(self, data):
        try:
            while os.read(self.controller, 4096):
                pass
        except BlockingIOError:
            pass
        try:
            os.write(self.controller, data)
        except BlockingIOError:
            pass


class Server:
    """A Unix socket from which GeoClue reads NMEA."""

    def __init__(self, path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.listener.setblocking(False)
        os.chmod(path, 0o666)
        self.readers = []

    def write(self, data):
        try:
            self.readers.append(self.listener.accept()[0])
        except BlockingIOError:
            pass
        for reader in list(self.readers):
            try:
                reader.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            except OSError:
                self.readers.remove(reader)


class Track:
    """Writes the epochs. `written` has the monotonic time after the last byte of each, by its index."""

    def __init__(self):
        self.outputs, self.written = [], []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        start = int(time.time()) + 1
        for index in range(1_000_000):
            if self.is_over.wait(max(start + index - time.time(), 0)):
                return
            data = epoch(index, start + index).encode()
            for output in list(self.outputs):
                output.write(data)
            self.written.append(time.monotonic())

    @property
    def index(self):
        """The index of the last epoch."""
        return len(self.written) - 1

    def has(self, latitude, longitude, tolerance):
        """Returns whether a place is on the track that is behind the receiver."""
        north = LATITUDE + self.index * STEP
        return abs(longitude - LONGITUDE) <= tolerance and LATITUDE - tolerance <= latitude <= north + tolerance

    def stop(self):
        self.is_over.set()
        self.thread.join()
