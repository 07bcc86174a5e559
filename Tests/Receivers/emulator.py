"""A receiver on a pseudo-terminal: it sends fixes, reads commands, answers, sleeps and wakes."""

import collections
import contextlib
import fcntl
import os
import select
import termios
import threading
import time
import tty

from made_frames import sentence
from receiver_frames import split


class Personality:
    """The receiver's side of a dialect. The subclasses have the tables.

    interval: seconds between two fixes. is_asleep: nothing is sent or read until a byte arrives, or until `wakes_at`.
    is_running: the engine is on, so that there are fixes. first_fix_seconds: the time from `started` to the first fix.
    deaf_until: its engine restarts, and commands are lost. saved: everything that was to be kept, or that a restart
    cannot undo; it has to stay empty. database: the parts of its navigation database. stated: their number as it states
    it, or None for the true one. given: the parts that it was given back.
    """

    #: The dialect's name in the configuration.
    dialect = ""
    #: The frames that nobody may send, as beginnings of sentences.
    forbidden = ()
    #: The sentences that it sends when it has started, as far as they are known.
    start_texts = ()
    #: The seconds without an ear for commands while the engine restarts, after it has answered (u-blox, "CFG-SIGNAL":
    #: "wait for ACK plus 0.5 s before sending any further commands").
    restart_seconds = 0.5

    def __init__(self):
        self.saved, self.database, self.stated, self.given = [], [], None, []
        self.is_asleep = False
        self.wakes_at = self.deaf_until = 0
        self.is_running = True
        self.refuses = False
        self.lies = False
        self.first_fix_seconds = 0
        self.started = time.time()
        self.power_on()

    def power_on(self):
        """Forgets everything in volatile memory."""

    def sleep(self, seconds=0):
        """Sleeps until a byte arrives, or for so many seconds if they are not 0."""
        self.is_asleep = True
        self.wakes_at = time.monotonic() + seconds if seconds else float("inf")

    def wake(self):
        self.is_asleep = False

    def restart_engine(self):
        self.deaf_until = time.monotonic() + self.restart_seconds

    def is_reading(self, now):
        """Returns whether it reads commands. One that sleeps is woken by them, and reads none of them."""
        if self.is_asleep:
            self.wake()
            return False
        return now >= self.deaf_until

    @property
    def interval(self):
        return 1.0

    def values(self):
        """Returns all settings, for comparing them later."""
        raise NotImplementedError

    def answer(self, protocol, frame):
        """Returns the answers to a frame, each as bytes."""
        raise NotImplementedError

    def leaves_out(self):
        """Returns the sentences that it is set to leave out."""
        return set()

    def has_fix(self, now):
        return self.is_running and now - self.started >= self.first_fix_seconds

    @staticmethod
    def place(now):
        """Returns the latitude and the longitude, which move to the north-east."""
        minutes = now % 1000 * 0.00041
        return 48 + (7.2 + minutes) / 60, 11 + (10.2 + minutes) / 60

    def epoch(self, now):
        """Returns the messages of a fix, or of the lack of one."""
        clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now * 100) % 100:02}"
        date = time.strftime("%d%m%y", time.gmtime(now))
        latitude, longitude = ((degrees - int(degrees)) * 60 for degrees in self.place(now))
        place = f"48{latitude:08.5f},N,011{longitude:08.5f},E"
        satellites = "02,05,07,09,13,16,20,27,30"
        bodies = {
            "RMC": [f"GNRMC,{clock},A,{place},14.37,54.70,{date},,,A"], "VTG": ["GNVTG,54.70,T,,M,14.37,N,26.62,K,A"],
            "GGA": [f"GNGGA,{clock},{place},1,09,0.94,545.4,M,46.9,M,,"],
            "GSA": [f"GNGSA,A,3,{satellites},,,,1.72,0.94,1.44,{system}" for system in range(1, 5)],
            "GSV": [f"GPGSV,3,{page},09,02,45,120,40,05,45,120,40,07,45,120,40,09,45,120,40,1" for page in range(1, 4)],
            "GLL": [f"GNGLL,{place},{clock},A,A"],
        } if self.has_fix(now) else {
            "RMC": [f"GNRMC,{clock},V,,,,,,,{date},,,N"], "GGA": [f"GNGGA,{clock},,,,,0,00,99.99,,M,,M,,"],
        }
        left_out = self.leaves_out()
        return b"".join(sentence(body) for name in bodies if name not in left_out for body in bodies[name])


class Emulator(threading.Thread):
    """A personality at a port. Its thread ends with `close()`.

    drops: every so many answers are lost. delay: seconds until an answer. flood: bytes sent ten times a second.
    baud_rate: as configured, or None to have it detected. on_frame: called with the number of each command, from 1 on,
    before it is answered. received, sent: all bytes of both directions, except the flood. lost: the commands that
    nobody read.
    """

    #: The bytes that wait for a reader. More are lost, as on a line.
    LIMIT = 4096

    def __init__(self, personality, drops=0, delay=0.0, flood=b"", baud_rate=38_400, on_frame=None):
        super().__init__(daemon=True)
        self.personality = personality
        self.drops, self.delay, self.flood = drops, delay, flood
        self.baud_rate, self.on_frame, self.count = baud_rate, on_frame, 0
        self.received, self.sent, self.lost = b"", b"", []
        self._pending, self._outgoing, self._answers, self._due = b"", b"", 0, []
        self._log = collections.deque(maxlen=24)
        self._start = time.monotonic()
        self._is_closed = False
        self.controller, self._port = os.openpty()
        tty.setraw(self._port)
        os.set_blocking(self.controller, False)
        self.path = os.ttyname(self._port)
        os.chmod(self.path, 0o666)
        self._closing, self._closer = os.pipe()
        self.start()

    @property
    def specification(self):
        return f"serial:{self.path}" + (f"@{self.baud_rate}" if self.baud_rate else "")

    def run(self):
        next_fix = next_flood = time.monotonic()
        while not self._is_closed:
            now = time.monotonic()
            moments = [next_fix, *(due for due, _ in self._due), *([next_flood] if self.flood else [])]
            select.select([self.controller, self._closing], [self.controller] if self._outgoing else [], [],
                          min(0.1, max(0, min(moments) - now)))
            self._read()
            self._write()
            now = time.monotonic()
            if self.personality.is_asleep and now >= self.personality.wakes_at:
                self.personality.wake()
            while self._due and self._due[0][0] <= now:
                answer = self._due.pop(0)[1]
                self._note("<", answer)
                self._send(answer)
            if self.flood and now >= next_flood:
                # The frames are whole: the next ones wait until these have been read.
                if not self._outgoing:
                    self._outgoing += self.flood
                next_flood = now + 0.1
            if now >= next_fix:
                if not self.personality.is_asleep:
                    self._send(self.personality.epoch(time.time()))
                next_fix = max(next_fix + self.personality.interval, now)

    def _read(self):
        try:
            data = os.read(self.controller, 4096)
        except OSError:
            return
        self.received += data
        if not self.personality.is_reading(time.monotonic()):
            self._note("> (lost)", data)
            self.lost.append(data)
            self._pending = b""
            return
        frames, self._pending = split(self._pending + data)
        for protocol, frame in frames:
            if protocol == "noise":
                continue
            if not self.personality.is_reading(time.monotonic()):
                self._note("> (lost)", frame)
                self.lost.append(frame)
                continue
            self._note(">", frame)
            self.count += 1
            if self.on_frame:
                self.on_frame(self.count)
            if frame.startswith(self.personality.forbidden):
                self.personality.saved.append(frame)
            for answer in self.personality.answer(protocol, frame):
                self._answers += 1
                if not self.drops or self._answers % self.drops:
                    self._due.append((time.monotonic() + self.delay, answer))

    def _send(self, data):
        if data and len(self._outgoing) < self.LIMIT:
            self.sent += data
            self._outgoing += data
            self._write()

    def _write(self):
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                self._outgoing = self._outgoing[os.write(self.controller, self._outgoing):]

    @staticmethod
    def _text(data):
        return repr(data)[2:-1] if data[:1] == b"$" else data.hex(" ").upper()

    def _note(self, direction, data):
        self._log.append(f"{time.monotonic() - self._start:8.3f} {direction} {self._text(data)[:200]}")

    def lost_frames(self):
        """Returns the commands that it did not read."""
        return [self._text(frame) for frame in self.lost]

    def last_frames(self):
        """Returns the last commands and answers, each with the seconds since the start."""
        return "\n".join(list(self._log))

    def lose_power(self, says_so=False):
        """Restarts the receiver, which forgets what is in volatile memory, and sends its texts about that or not."""
        self.personality.power_on()
        self.personality.is_asleep, self.personality.is_running = False, True
        if says_so:
            self._due.append((time.monotonic(), b"".join(map(sentence, self.personality.start_texts))))

    def release(self):
        """Lets another program open the port, like the last closing of a real one, which this one never has."""
        fcntl.ioctl(self._port, termios.TIOCNXCL)

    def close(self):
        self._is_closed = True
        os.write(self._closer, b"\0")
        self.join()
        for descriptor in (self.controller, self._port, self._closing, self._closer):
            os.close(descriptor)
