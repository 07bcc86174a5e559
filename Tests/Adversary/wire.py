"""Varlink over a Unix socket: NUL-terminated JSON, with a timeout for every wait."""

import json
import select
import socket
import struct
import time

LOCATION = "io.locationd.Location"
MANAGE = "io.locationd.Manage"


class Late(Exception):
    """An awaited event did not come in time."""


class Closed(Exception):
    """The daemon closed the connection."""


class Refused(Exception):
    """The daemon answered with an error: its name is the first argument, its parameters are the second."""


def connect(path, timeout_seconds=10):
    """Connects to a Unix socket. Raises Late if its queue stays full."""
    connected = socket.socket(socket.AF_UNIX)
    # A blocking connect waits for a place in the queue; one with Python's own timeout would fail at once.
    limit = struct.pack("ll", int(timeout_seconds), int(timeout_seconds % 1 * 1e6))
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
    try:
        connected.connect(path)
    except BlockingIOError:
        connected.close()
        raise Late(f"no connection to {path} within {timeout_seconds} s") from None
    except OSError:
        connected.close()
        raise
    return connected


class Connection:
    """A connection that makes one call at a time."""

    def __init__(self, connected):
        self.socket = connected
        self.socket.setblocking(False)
        self.pending = b""

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    def send(self, method, parameters=None, more=False):
        """Sends a call, which must fit into the socket's buffer."""
        call = {"method": method, "parameters": parameters or {}}
        if more:
            call["more"] = True
        try:
            self.socket.send(json.dumps(call).encode() + b"\0")
        except BlockingIOError:
            raise Late(f"the daemon does not read {method}") from None
        except OSError as error:
            raise Closed(str(error)) from None

    def received(self):
        """Returns the replies that have arrived, without waiting."""
        try:
            while data := self.socket.recv(65536):
                self.pending += data
            if not self.pending:
                raise Closed("the daemon closed the connection")
        except BlockingIOError:
            pass
        except OSError as error:
            raise Closed(str(error)) from None
        *frames, self.pending = self.pending.split(b"\0")
        return [json.loads(frame) for frame in frames]

    def receive(self, timeout_seconds):
        """Returns the next reply, of which only one can be outstanding. Raises Late."""
        deadline = time.monotonic() + timeout_seconds
        while True:
            if not select.select([self], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise Late(f"no reply within {timeout_seconds} s")
            if replies := self.received():
                return replies[0]

    def call(self, method, parameters=None, timeout_seconds=10):
        """Returns the parameters of the reply to a call. Raises Refused, Late and Closed."""
        self.send(method, parameters)
        return result(self.receive(timeout_seconds))


def result(reply):
    """Returns a reply's parameters. Raises Refused for an error."""
    if "error" in reply:
        raise Refused(reply["error"], reply.get("parameters"))
    return reply.get("parameters") or {}


def call_once(path, method, parameters=None, timeout_seconds=10):
    """Makes a single call on a connection of its own, as locationctl does."""
    connection = Connection(connect(path, timeout_seconds))
    try:
        return connection.call(method, parameters, timeout_seconds)
    finally:
        connection.close()
