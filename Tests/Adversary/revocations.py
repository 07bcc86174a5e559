"""The time until a revocation takes effect: the manager has its reply, and the app's stream has ended."""

import random
import select
import time

import wire
from meters import Meter, STEP_SECONDS


class Abandoned(Exception):
    """The measurement was stopped before its end."""


class RevocationMeter(Meter):
    """Grants an app the location, lets it subscribe, and revokes the grant, again and again.

    A sample is the time from the manager's connecting to the later of its reply and the stream's NotAuthorized.
    A failed measurement counts as lost, with the reason in `failures`.
    """

    def __init__(self, app, uid, daemon):
        super().__init__()
        self.app, self.uid, self.daemon = app, uid, daemon
        self.failures = []
        self.connection = None

    def run(self):
        # Not in step with the receiver.
        while not self.stopping.wait(random.uniform(0.2, 0.5)):
            if self.pausing.is_set():
                continue
            samples, start = self.samples, time.monotonic()
            try:
                self.daemon.grant(self.app.identity, self.uid)
                self.open_stream()
                samples.add(self.revoke())
            except Abandoned:
                # A measurement that had just begun does not count.
                samples.lost += time.monotonic() - start > 1
            except (OSError, wire.Closed, wire.Late, wire.Refused) as error:
                samples.lost += 1
                self.failures.append(f"{type(error).__name__}: {error}")
                self.connection = None

    def open_stream(self):
        """Subscribes, on the existing connection if there is one, and waits for the first update."""
        self.connection = self.connection or self.app.connect(self.daemon.location)
        self.connection.send(wire.LOCATION + ".Subscribe", {"options": {"pausesAutomatically": False}}, more=True)
        while True:
            self.await_any([self.connection])
            replies = self.connection.received()
            if any(wire.result(reply) for reply in replies):
                return

    def revoke(self):
        """Revokes the grant. Returns the seconds until the revocation takes effect."""
        start = time.monotonic()
        manager = wire.Connection(wire.connect(self.daemon.manage, timeout_seconds=20))
        try:
            manager.send(wire.MANAGE + ".Revoke", {"app": self.app.identity, "uid": self.uid})
            waiting = [manager, self.connection]
            while waiting:
                for connection in self.await_any(waiting):
                    replies = connection.received()
                    if connection is manager and replies:
                        wire.result(replies[0])
                        waiting.remove(manager)
                    elif any("error" in reply for reply in replies):
                        waiting.remove(connection)
            return time.monotonic() - start
        finally:
            manager.close()

    def await_any(self, connections):
        """Returns the connections that can be read."""
        while not self.stopping.is_set():
            if ready := select.select(connections, [], [], STEP_SECONDS)[0]:
                return ready
        raise Abandoned
