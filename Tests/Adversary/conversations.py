"""The behaviour of a fuzzing connection, besides sending its frames."""

import select
import socket

import wire

# The timeout for replies, which many calls do not get.
REPLY_SECONDS = 0.01
# The number of connections that stay open, including some that are never read.
KEPT = 48


class Conversations:
    """Carries out connections to one daemon, each with its own random generator.

    The data and its order depend on that generator only, not on the daemon's replies or on time.
    """

    KINDS = {
        "polite": 6, "pipelined": 4, "fragments": 3, "unread": 3, "half-closed": 2, "cut": 2, "kept": 3,
        "endless": 1, "burst": 1,
    }

    def __init__(self, path_of):
        self.path_of = path_of
        self.open = []
        self.frames = self.replies = self.refused = 0

    def carry_out(self, random, interface, kind, frames):
        """Opens a connection to the socket of an interface and sends the frames."""
        self.frames += len(frames)
        path = self.path_of(interface)
        if kind == "burst":
            for _ in range(random.randrange(1, 60)):
                wire.connect(path).close()
        opened = wire.connect(path)
        opened.settimeout(REPLY_SECONDS)
        try:
            getattr(self, kind.replace("-", "_"), self.polite)(opened, random, frames)
        except TimeoutError:
            pass
        except OSError:
            self.refused += 1
        if kind in ("kept", "unread"):
            self.open.append(opened)
            if len(self.open) > KEPT:
                self.open.pop(random.randrange(len(self.open))).close()
        else:
            opened.close()

    def polite(self, opened, random, frames):
        for frame in frames:
            opened.sendall(frame + b"\0")
            self.read(opened)

    def pipelined(self, opened, random, frames):
        opened.sendall(b"\0".join(frames) + b"\0")
        self.read(opened)

    def fragments(self, opened, random, frames):
        data = b"\0".join(frames) + b"\0"
        limit = random.choice([2, 10, 1000])
        while data and limit < len(data) // 100:
            limit *= 10
        while data:
            size = random.randint(1, limit)
            opened.sendall(data[:size])
            data = data[size:]
        self.read(opened)

    def unread(self, opened, random, frames):
        opened.sendall((b"\0".join(frames) + b"\0") * random.randrange(1, 20))

    def half_closed(self, opened, random, frames):
        opened.sendall(b"\0".join(frames) + b"\0" * random.randrange(2))
        opened.shutdown(random.choice([socket.SHUT_WR, socket.SHUT_WR, socket.SHUT_RD]))
        self.read(opened)

    def cut(self, opened, random, frames):
        data = b"\0".join(frames) + b"\0"
        opened.sendall(data[:random.randrange(len(data))])

    def kept(self, opened, random, frames):
        opened.sendall(b"\0".join(frames) + b"\0")

    def endless(self, opened, random, frames):
        for _ in range(random.randrange(1, 40)):
            opened.sendall(frames[0].replace(b"\0", b" ") + b" " * 5000)

    def read(self, opened):
        """Reads replies that arrive soon, up to a limit, so that a stream does not hold up the connection."""
        for _ in range(20):
            if not select.select([opened], [], [], REPLY_SECONDS)[0]:
                return
            data = opened.recv(65536)
            self.replies += data.count(b"\0")
            if not data or data.endswith(b"\0"):
                return
