#!/usr/bin/python3
"""Servers that a publisher is not to suffer from.

    hostile_server.py PORT BEHAVIOUR

prints "listening", then a line for each connection. BEHAVIOUR is one of:
    packet       MQTT: accepts, then sends one message of 268 MB
    unreleased   MQTT: accepts, then sends messages of QoS 2 without end, and releases none
    message-0, message-1, message-2
                 MQTT: accepts, then sends one message of that QoS
    pings        MQTT: accepts, then answers connection checks that were never made, without end
    taken-over   MQTT 5: accepts, then says that another client has taken the session over
    interim      HTTP: answers a request with 100 Continue, without end
    endless-body, endless-chunks
                 HTTP: answers with a body that does not end
    huge-header, many-fields, endless-line
                 HTTP: answers with one field of 100 MB, with fields without end, or with a first line that does not end
    slow-header, slow-body
                 HTTP: answers a byte a tenth of a second, without end
    silent       HTTP: does not answer
"""

import socket
import struct
import sys
import threading
import time

GREATEST_LENGTH = 268_435_455


def packet(kind, body, length=None):
    """Returns a packet of MQTT, or its beginning if `length` is greater than that of the body."""
    rest, digits = len(body) if length is None else length, bytearray()
    while True:
        digits.append(rest % 128 | (128 if rest > 127 else 0))
        rest //= 128
        if not rest:
            return bytes([kind]) + bytes(digits) + body


def read(connection, count):
    """Returns exactly so many bytes. Raises ConnectionError."""
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise ConnectionError("the client has closed the connection")
        data += piece
    return data


def read_packet(connection):
    """Returns the first byte of the next packet of MQTT, and its body."""
    kind, length, shift = read(connection, 1)[0], 0, 0
    while True:
        digit = read(connection, 1)[0]
        length |= (digit & 127) << shift
        shift += 7
        if digit < 128:
            return kind, read(connection, length)


def accept(connection):
    """Accepts a client of MQTT. Returns whether it speaks MQTT 5."""
    _, body = read_packet(connection)
    is_5 = body[6] == 5
    connection.sendall(packet(0x20, b"\0\0\0" if is_5 else b"\0\0"))
    return is_5


def message(qos, number, payload, is_5, length=None):
    """Returns a message to the topic `a`."""
    head = b"\0\1a" + (struct.pack(">H", number) if qos else b"") + (b"\0" if is_5 else b"")
    return packet(0x30 | qos << 1, head + payload, length)


def send_packet(connection):
    is_5 = accept(connection)
    connection.sendall(message(0, 0, b"", is_5, GREATEST_LENGTH))
    while True:
        connection.sendall(bytes(1 << 20))


def send_unreleased(connection):
    is_5, number = accept(connection), 0
    # The client answers each message, and is to be able to.
    threading.Thread(target=drain, args=[connection], daemon=True).start()
    while True:
        number = number % 65_535 + 1
        connection.sendall(message(2, number, bytes(3000), is_5))


def drain(connection):
    try:
        while connection.recv(65_536):
            pass
    except OSError:
        pass


def send_message(qos):
    def send(connection):
        connection.sendall(message(qos, 1, b"x", accept(connection)))
        drain(connection)
    return send


def send_pings(connection):
    accept(connection)
    while True:
        connection.sendall(packet(0xD0, b"") * 1000)


def send_taken_over(connection):
    accept(connection)
    connection.sendall(packet(0xE0, b"\x8e"))
    drain(connection)


def send_interim(connection):
    connection.recv(65_536)
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)


def answer(head, piece, delay=0.0):
    """Returns what answers a request with a beginning, and then with pieces without end."""
    def send(connection):
        connection.recv(65_536)
        connection.sendall(head)
        while True:
            connection.sendall(piece)
            time.sleep(delay)
    return send


def send_huge_header(connection):
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Field: ")
    for _ in range(100):
        connection.sendall(b"x" * 1_000_000)
    connection.sendall(b"\r\nContent-Length: 0\r\n\r\n")
    drain(connection)


BEHAVIOURS = {
    "packet": send_packet, "unreleased": send_unreleased, "message-0": send_message(0), "message-1": send_message(1),
    "message-2": send_message(2), "pings": send_pings, "taken-over": send_taken_over,
    "interim": send_interim,
    "endless-body": answer(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100_000),
    "endless-chunks": answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10_000),
    "huge-header": send_huge_header,
    "many-fields": answer(b"HTTP/1.1 200 OK\r\n", b"X-Field: some value\r\n" * 1000),
    "endless-line": answer(b"HTTP/1.1 200 ", b"x" * 100_000),
    "slow-header": answer(b"HTTP/1.1 200 OK\r\nX-Field: ", b"x", 0.1),
    "slow-body": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", b"x", 0.1),
    "silent": drain,
}


class Server:
    """A server on a free port of 127.0.0.1, or on a given one, with a thread for each connection."""

    def __init__(self, behave, port=0, on_connection=lambda: None):
        self.behave, self.on_connection, self.connections = behave, on_connection, 0
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.on_connection()
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection):
        with connection:
            try:
                self.behave(connection)
            except OSError:
                pass

    def close(self):
        self.listener.close()


class SlowBroker(Server):
    """A broker that acknowledges a message after a tenth of a second, and keeps when each has arrived."""

    def __init__(self):
        self.arrivals = []
        super().__init__(self._receive)

    def _receive(self, connection):
        is_5 = accept(connection)
        while True:
            kind, body = read_packet(connection)
            if kind & 0xF0 == 0xC0:
                connection.sendall(packet(0xD0, b""))
            if kind & 0xF0 != 0x30:
                continue
            length = struct.unpack(">H", body[:2])[0]
            self.arrivals.append((time.monotonic(), body[2:2 + length].decode()))
            time.sleep(0.1)
            connection.sendall(packet(0x40, body[2 + length:4 + length] + (b"\0\0" if is_5 else b"")))

    def count(self, topic, since=0.0):
        """Returns how many messages to a topic have arrived since a time of time.monotonic()."""
        return sum(name == topic and at > since for at, name in list(self.arrivals))


def main():
    Server(BEHAVIOURS[sys.argv[2]], int(sys.argv[1]), lambda: print("connection", flush=True))
    print("listening", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
