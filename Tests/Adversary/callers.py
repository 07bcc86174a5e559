"""Clients that make one call after the other, and keep the greatest time that one took."""

import os
import subprocess
import sys
import threading
import time

import wire

LIMIT_MILLISECONDS = 50
ECHO = "import os\nwhile data := os.read(0, 1): os.write(1, data)"


class Caller(threading.Thread):
    """Makes calls until it is stopped. A subclass has `make_call`."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.title, self.worst, self.count = name, 0.0, 0
        self.stopping = threading.Event()

    @staticmethod
    def of(path, method, parameters=None):
        """Returns one that makes a call of Varlink on a connection of its own."""
        return VarlinkCaller(path, method, parameters)

    def run(self):
        while not self.stopping.wait(0.002):
            began = time.monotonic()
            self.make_call()
            self.worst = max(self.worst, 1000 * (time.monotonic() - began))
            self.count += 1

    def stop(self):
        self.stopping.set()
        self.join(60)


class VarlinkCaller(Caller):
    def __init__(self, path, method, parameters):
        super().__init__(method.rpartition(".")[2])
        self.connection = wire.Connection(wire.connect(path))
        self.call = method, parameters

    def make_call(self):
        try:
            self.connection.call(*self.call, timeout_seconds=60)
        except wire.Refused:
            pass


class Control(Caller):
    """Sends bytes to a process that only echoes: the machine's own delays."""

    def __init__(self):
        super().__init__("control")
        self.process = subprocess.Popen([sys.executable, "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        bufsize=0,
                                        preexec_fn=(lambda: os.nice(-20)) if os.geteuid() == 0 else None)

    def make_call(self):
        self.process.stdin.write(b"?")
        self.process.stdout.read(1)

    def stop(self):
        super().stop()
        self.process.stdin.close()
        self.process.wait()


def judge(callers):
    """Returns the greatest times as text, and a fault if one is beyond the limit and the control's greatest."""
    text = ", ".join(f"{caller.title} {caller.worst:.1f} ms" for caller in callers)
    control = max((caller.worst for caller in callers if isinstance(caller, Control)), default=0)
    late = [caller.title for caller in callers
            if not isinstance(caller, Control) and caller.worst > LIMIT_MILLISECONDS + control]
    idle = [caller.title for caller in callers if not caller.count]
    return text, (f"late: {', '.join(late)}: {text}" if late else f"no answer: {', '.join(idle)}" if idle else None)
