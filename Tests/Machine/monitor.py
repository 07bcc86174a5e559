"""qemu's machine protocol (QMP): commands to the machine's hardware, and its events."""

import json
import queue
import socket
import threading

from deadline import SLOWNESS, Deadline, Late


class MonitorError(Exception):
    """qemu refused a command."""


class Monitor:
    """A connection to the QMP socket at `path`."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies = queue.Queue()
        self.events = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        """Executes a command. Raises MonitorError if qemu refuses it."""
        message = {"execute": name, "arguments": {key.replace("_", "-"): value for key, value in arguments.items()}}
        self.socket.sendall(json.dumps(message).encode() + b"\n")
        try:
            reply = self.replies.get(timeout=60 * SLOWNESS)
        except queue.Empty:
            raise Late(f"timed out waiting for qemu to answer {name}") from None
        if "error" in reply:
            raise MonitorError(f"{name}: {reply['error']['desc']}")
        return reply["return"]

    def wait_for(self, name, seconds, **data):
        """Waits for an event `name` with these data, and discards the events before it."""
        deadline = Deadline(seconds)
        while True:
            try:
                event = self.events.get(timeout=deadline.remaining(f"qemu's event {name}"))
            except queue.Empty:
                continue
            if event["event"] == name and data.items() <= event.get("data", {}).items():
                return

    def _read(self):
        for line in self.socket.makefile():
            message = json.loads(line)
            if "event" in message:
                self.events.put(message)
            elif "QMP" not in message:
                self.replies.put(message)
