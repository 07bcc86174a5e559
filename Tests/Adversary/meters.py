"""Well-behaved clients that measure the daemon's response times, each on its own thread."""

import os
import select
import socket
import subprocess
import sys
import threading
import time
import tty
from pathlib import Path

import wire
from receiver import INTERVAL_SECONDS
from samples import Samples

# The longest wait of a measurement before it checks whether it is to end.
STEP_SECONDS = 0.1


class Meter:
    """Measures until it is stopped. `restart` begins a new set of samples and returns it."""

    def __init__(self):
        self.stopping = threading.Event()
        # Set while the daemon is to handle only its receiver: meters that call the daemon pause.
        self.pausing = threading.Event()
        self.samples = Samples()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def restart(self):
        self.samples = Samples()
        return self.samples

    def stop(self):
        self.stopping.set()
        self.thread.join()

    def readable(self, connection, timeout_seconds=STEP_SECONDS):
        """Waits until there is something to read. Returns whether there is."""
        return bool(select.select([connection], [], [], timeout_seconds)[0])


class EchoMeter(Meter):
    """The control: a process that only sends data back. Its delays are the machine's, not the daemon's.

    With `file`, it writes there first and waits for the disk, with as much as SQLite writes for a small change.
    """

    def __init__(self, file=None, port=None):
        super().__init__()
        self.data, self.pause = (b"?" * 4096, 0.2) if file else (b"?", 0.02)
        self.socket, theirs = socket.socketpair()
        source = ["--from", str(port)] if port else []
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-B", Path(__file__).parent / "echo.py", str(theirs.fileno()),
                 *([file] if file else []), *source],
                pass_fds=[theirs.fileno(), *([port] if port else [])])

    def write(self, data):
        self.socket.sendall(data)

    def run(self):
        while not self.stopping.wait(self.pause):
            samples, start = self.samples, time.monotonic()
            self.write(self.data)
            self.socket.recv(len(self.data), socket.MSG_WAITALL)
            samples.add(time.monotonic() - start)

    def stop(self):
        super().stop()
        self.socket.close()
        self.process.wait()


class PortMeter(EchoMeter):
    """The control with a serial port: it reads the data there, as the daemon reads its receiver.

    What is written to a pseudo-terminal is passed on by a thread of the kernel, which waits for a processor, too.
    """

    def __init__(self):
        self.controller, port = os.openpty()
        tty.setraw(port)
        super().__init__(port=port)
        # The process has it now, and sees the end when the controller is closed.
        os.close(port)
        self.data, self.pause = b"?" * 300, INTERVAL_SECONDS

    def write(self, data):
        os.write(self.controller, data)

    def stop(self):
        self.stopping.set()
        self.thread.join()
        os.close(self.controller)
        self.process.wait()
        self.socket.close()


class ReplyMeter(Meter):
    """Calls GetAuthorization again and again on one connection."""

    def __init__(self, app, path):
        super().__init__()
        self.app, self.path = app, path

    def run(self):
        connection = None
        while not self.stopping.wait(0.005):
            if self.pausing.is_set():
                continue
            samples, start = self.samples, time.monotonic()
            try:
                connection = connection or self.app.connect(self.path)
                connection.send(wire.LOCATION + ".GetAuthorization")
                while not connection.received():
                    if self.stopping.is_set():
                        break
                    self.readable(connection)
                samples.add(time.monotonic() - start)
            except (OSError, wire.Closed, wire.Late):
                samples.lost += 1
                connection = None
                self.stopping.wait(STEP_SECONDS)


class FixMeter(Meter):
    """Writes epochs to the receiver, and measures from the last byte of each one to its update at a subscriber."""

    # A fix that takes longer is lost.
    PATIENCE_SECONDS = 5

    def __init__(self, app, path, receiver):
        super().__init__()
        self.app, self.path, self.receiver = app, path, receiver
        self.connection = None
        self.retry = 0.0
        self.sent = {}
        self.interruptions = 0
        self.prompt_in_row = 0

    def run(self):
        due = time.monotonic()
        while not self.stopping.is_set():
            if self.connection is None and time.monotonic() >= self.retry:
                self.subscribe()
            wait = max(due - time.monotonic(), 0)
            if self.connection is None:
                self.stopping.wait(wait)
            elif self.readable(self.connection, wait):
                self.receive()
            if time.monotonic() >= due:
                due = max(due + INTERVAL_SECONDS, time.monotonic())
                self.write()
        self.forget(STEP_SECONDS * 5)

    def subscribe(self):
        try:
            self.connection = self.app.connect(self.path)
            self.connection.send(wire.LOCATION + ".Subscribe", {"options": {"pausesAutomatically": False}}, more=True)
        except (OSError, wire.Closed, wire.Late):
            self.interrupted()

    def write(self):
        self.forget(self.PATIENCE_SECONDS)
        if timestamp := self.receiver.write_epoch():
            self.sent[timestamp] = (time.monotonic(), self.samples)

    def receive(self):
        try:
            for reply in self.connection.received():
                update = wire.result(reply).get("update") or {}
                now = time.monotonic()
                start, samples = self.sent.pop((update.get("location") or {}).get("timestamp"), (None, None))
                if start is not None:
                    samples.add(now - start)
                    self.prompt_in_row = self.prompt_in_row + 1 if now - start < 1 else 0
        except (wire.Closed, wire.Refused):
            self.interrupted()

    def interrupted(self):
        """Handles a stream that ended or could not be opened. The next attempt follows soon."""
        self.interruptions += 1
        if self.connection:
            self.connection.close()
        self.connection, self.retry = None, time.monotonic() + 0.2

    def forget(self, older_than_seconds):
        """Counts fixes as lost that were sent at least `older_than_seconds` ago."""
        now = time.monotonic()
        for timestamp, (start, samples) in list(self.sent.items()):
            if now - start >= older_than_seconds:
                samples.lost += 1
                del self.sent[timestamp]

    def await_fixes(self, check, timeout_seconds=60):
        """Waits for ten prompt fixes in a row, after which date and cycle are known. Calls `check` meanwhile."""
        self.prompt_in_row = 0
        deadline = time.monotonic() + timeout_seconds
        while self.prompt_in_row < 10:
            check()
            if time.monotonic() > deadline:
                raise wire.Late(f"no ten fixes in a row within {timeout_seconds} s")
            time.sleep(STEP_SECONDS)
