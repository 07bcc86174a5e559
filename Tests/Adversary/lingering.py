"""Descriptors whose close waits: TCP sockets with SO_LINGER and unread data."""

import array
import socket
import struct
import threading

LINGER_SECONDS = 6


class Lingering:
    """A socket whose last close waits for LINGER_SECONDS, and the other end, which is to stay open."""

    def __init__(self, listener):
        self.socket = socket.create_connection(listener.getsockname())
        self.other, _ = listener.accept()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, LINGER_SECONDS))
        self.socket.setblocking(False)
        try:
            while self.socket.send(b"\0" * 65536):
                pass
        except BlockingIOError:
            pass

    def hand_over(self, connection, flags=0):
        """Sends a byte with the only descriptor of the socket. Returns an error's text, or None."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [self.socket.fileno()]))]
        try:
            connection.sendmsg([b"x"], rights, socket.MSG_DONTWAIT | flags)
            return None
        except OSError as error:
            return error.strerror
        finally:
            # A message that was sent keeps it open.
            self.close()

    def close(self):
        """Closes this process's descriptor; without a message that keeps the socket, that must not linger."""
        threading.Thread(target=self.socket.close, daemon=True).start()


def listener():
    """Returns a TCP socket of this machine that listens."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return listening
