"""Connections that send without end."""

import select
import socket
import time

# The shortest time between two attempts to connect after one has failed, in seconds.
RETRY_SECONDS = 0.01


class Flood:
    """Keeps a number of connections open and sends on each as fast as the daemon reads.

    payload: a function of a count that returns the next bytes, or None if a connection has nothing more to send.
    reads: whether replies are read. A connection that the daemon closes is replaced.
    """

    def __init__(self, path, count, payload, reads=True):
        self.path, self.count, self.payload, self.reads = path, count, payload, reads
        self.poll = select.poll()
        self.connections = {}
        self.sent = self.opened = 0
        self.retry = 0.0

    def step(self):
        """Sends and receives as far as possible now, and waits for that at most a tenth of a second."""
        if len(self.connections) < self.count and time.monotonic() >= self.retry:
            self.open()
        for descriptor, events in self.poll.poll(100 if len(self.connections) == self.count else 1):
            connection = self.connections[descriptor]
            try:
                if events & select.POLLIN and not connection[0].recv(65536):
                    raise ConnectionError
                if events & select.POLLOUT:
                    self.send(descriptor, connection)
                elif events & (select.POLLHUP | select.POLLERR) and not events & select.POLLIN:
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                self.poll.unregister(descriptor)
                self.connections.pop(descriptor)[0].close()

    def open(self):
        opened = socket.socket(socket.AF_UNIX)
        opened.setblocking(False)
        try:
            opened.connect(self.path)
        except OSError:
            opened.close()
            self.retry = time.monotonic() + RETRY_SECONDS
            return
        self.opened += 1
        self.connections[opened.fileno()] = [opened, b""]
        self.poll.register(opened, select.POLLOUT | (select.POLLIN if self.reads else 0))

    def send(self, descriptor, connection):
        """Sends the rest of a payload, or the next one."""
        opened, rest = connection
        if not rest:
            rest = self.payload(self.sent)
            if rest is None:
                return self.poll.modify(descriptor, select.POLLIN if self.reads else 0)
            self.sent += 1
        connection[1] = rest[opened.send(rest):]
