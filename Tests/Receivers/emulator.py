"""A receiver on a pseudo-terminal: it sends fixes, reads commands, answers, sleeps and wakes."""

import contextlib
import os
import select
import threading
import time
import tty

from receiver_frames import sentence, split


class Personality:
    """The receiver's side of a dialect. The subclasses have the tables.

    interval: seconds between two fixes. is_asleep: nothing is sent or read until a byte arrives. is_running: the engine
    is on, so that there are fixes. first_fix_seconds: the time from `started` to the first fix. saved: everything that
    was to be kept, or that a restart cannot undo; it has to stay empty.
    """

    #: The dialect's name in the configuration.
    dialect = ""
    #: The frames that nobody may send, as beginnings of sentences.
    forbidden = ()

    def __init__(self):
        self.saved = []
        self.is_asleep = False
        self.is_running = True
        self.refuses = False
        self.lies = False
        self.first_fix_seconds = 0
        self.started = time.time()
        self.power_on()

    def power_on(self):
        """Forgets everything in volatile memory."""

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

    def epoch(self, now):
        """Returns the messages of a fix, or of the lack of one."""
        clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now * 100) % 100:02}"
        date = time.strftime("%d%m%y", time.gmtime(now))
        if not self.is_running or now - self.started < self.first_fix_seconds:
            return sentence(f"GNRMC,{clock},V,,,,,,,{date},,,N") + sentence(f"GNGGA,{clock},,,,,0,00,99.99,,M,,M,,")
        minutes = 7.2 + now % 1000 * 0.00041
        place = f"48{minutes:08.5f},N,011{minutes + 3:08.5f},E"
        data = (sentence(f"GNRMC,{clock},A,{place},14.37,54.70,{date},,,A")
                + sentence(f"GNGGA,{clock},{place},1,09,0.94,545.4,M,46.9,M,,")
                + b"".join(sentence(f"GNGSA,A,3,02,05,07,09,13,16,20,27,30,,,,1.72,0.94,1.44,{system}")
                           for system in range(1, 5)))
        others = {"GLL": [f"GNGLL,{place},{clock},A,A"], "VTG": ["GNVTG,54.70,T,,M,14.37,N,26.62,K,A"],
                  "GSV": [f"GPGSV,3,{page},09,02,45,120,40,05,45,120,40,07,45,120,40,09,45,120,40,1"
                          for page in range(1, 4)]}
        return data + b"".join(sentence(body) for name in others.keys() - self.leaves_out() for body in others[name])


class Emulator(threading.Thread):
    """A personality at a port. Its thread ends with `close()`.

    drops: every so many answers are lost. delay: seconds until an answer. flood: bytes sent ten times a second.
    """

    def __init__(self, personality, drops=0, delay=0.0, flood=b""):
        super().__init__(daemon=True)
        self.personality = personality
        self.drops, self.delay, self.flood = drops, delay, flood
        self.received, self.sent = b"", b""
        self._pending, self._answers, self._due = b"", 0, []
        self._is_closed = False
        self.controller, self._port = os.openpty()
        tty.setraw(self._port)
        os.set_blocking(self.controller, False)
        self.path = os.ttyname(self._port)
        os.chmod(self.path, 0o666)
        self.start()

    @property
    def specification(self):
        return f"serial:{self.path}@38400"

    def run(self):
        next_fix = next_flood = time.monotonic()
        while not self._is_closed:
            now = time.monotonic()
            wait = min([next_fix - now, 0.1, *(due - now for due, _ in self._due)])
            if select.select([self.controller], [], [], max(0, wait))[0]:
                self._read()
            now = time.monotonic()
            while self._due and self._due[0][0] <= now:
                self._send(self._due.pop(0)[1])
            if self.flood and now >= next_flood:
                self._send(self.flood)
                next_flood = now + 0.1
            if now >= next_fix:
                if not self.personality.is_asleep:
                    self._send(self.personality.epoch(time.time()), is_counted=False)
                next_fix = max(next_fix + self.personality.interval, now)

    def _read(self):
        try:
            data = os.read(self.controller, 4096)
        except OSError:
            return
        self.received += data
        if self.personality.is_asleep:
            # The bytes that wake it are lost.
            self.personality.is_asleep = False
            self._pending = b""
            return
        frames, self._pending = split(self._pending + data)
        for protocol, frame in frames:
            if protocol == "noise":
                continue
            if frame.startswith(self.personality.forbidden):
                self.personality.saved.append(frame)
            for answer in self.personality.answer(protocol, frame):
                self._answers += 1
                if not self.drops or self._answers % self.drops:
                    self._due.append((time.monotonic() + self.delay, answer))

    def _send(self, data, is_counted=True):
        if is_counted:
            self.sent += data
        with contextlib.suppress(BlockingIOError):
            os.write(self.controller, data)

    def lose_power(self):
        """Restarts the receiver, which forgets what is in volatile memory."""
        self.personality.power_on()
        self.personality.is_asleep, self.personality.is_running = False, True

    def close(self):
        self._is_closed = True
        self.join()
        os.close(self.controller)
        os.close(self._port)
