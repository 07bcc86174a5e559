"""Reads everything that one program can read of a daemon, each time that a line is read from stdin.

The first line is a plan in JSON. calls: pairs of a socket's path and the calls on a connection of its own. streams:
pairs of a socket's path and a call with `more`. awaitsStreams: whether each of them
replies at once, and that reply is not shown. gpsd: the path of a socket, or null. geoclue: the
address of a bus and the folder of the modules sdbus and geoclue_calls, or null. hidden: pairs of a pattern and
what replaces it. Each line of the output is a list in JSON: the replies to the calls, GeoClue's
properties, the reply of gpsd, and what GeoClue and the streams have sent since the last line.
"""

import json
import re
import socket
import sys


def connect(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def read(connection: socket.socket, end: bytes, count: int) -> str:
    received = b""
    while received.count(end) < count:
        part = connection.recv(65536)
        if not part:
            return received.decode() + "<end>"
        received += part
    return received.decode()


def waiting(connection: socket.socket) -> str:
    received = b""
    try:
        while part := connection.recv(65536, socket.MSG_DONTWAIT):
            received += part
    except BlockingIOError:
        return received.decode()
    return received.decode() + "<end>"


def ordered(message: str) -> str:
    """The message with its sessions in an order of their own: streams may begin in any."""
    if '"sessions":[' not in message:
        return message
    reply = json.loads(message)
    reply["parameters"]["sessions"].sort(key=json.dumps)
    return json.dumps(reply)


class GeoClue:
    """A client of GeoClue that has called Start. The reply, which may come later, is an event."""

    def __init__(self, address: str, modules: str) -> None:
        sys.path.insert(0, modules)
        import geoclue_calls
        import sdbus
        self.calls, self.refused = geoclue_calls, sdbus.Refused
        self.client = geoclue_calls.Client(address)
        self.start = self.client.bus.send(geoclue_calls.NAME, self.client.path, geoclue_calls.CLIENT, "Start")

    def properties(self) -> str:
        pairs = ((self.client.path, self.calls.CLIENT), (self.calls.MANAGER, self.calls.NAME + ".Manager"))
        return repr([self.all(path, interface) for path, interface in pairs])

    def all(self, path: str, interface: str) -> object:
        try:
            return self.client.bus.call(self.calls.NAME, path, self.calls.PROPERTIES, "GetAll", "s", interface)
        except self.refused as error:
            return error.args

    def events(self) -> str:
        bus = self.client.bus
        bus.receive()
        signals, bus.signals = bus.signals, []
        reply = bus.replies.pop(self.start, None)
        events = []
        # In the order of their arrival, which two readers have in common however often they read.
        for message in sorted([*signals, *([reply] if reply else [])], key=lambda message: message.arrival):
            if message is reply:
                events.append(repr(("Start", reply.error)))
                continue
            events.append(repr((message.path, message.member, message.arguments)))
            if message.member == "LocationUpdated":
                events.append(repr(self.all(message.arguments[1], self.calls.LOCATION)))
        return "".join(events)


plan = json.loads(sys.stdin.readline())
hidden = [(re.compile(pattern), text) for pattern, text in plan["hidden"]]
calls = [(connect(path), [call.encode() + b"\0" for call in lines]) for path, lines in plan["calls"]]
streams = []
for path, call in plan["streams"]:
    streams.append(connect(path))
    streams[-1].sendall(call.encode() + b"\0")
    if plan["awaitsStreams"]:
        read(streams[-1], b"\0", 1)
gpsd = plan["gpsd"] and connect(plan["gpsd"])
if gpsd:
    gpsd.sendall(b'?WATCH={"enable":true,"json":true,"nmea":true};\n')
geoclue = plan["geoclue"] and GeoClue(**plan["geoclue"])

for _ in sys.stdin:
    for connection, lines in calls:
        connection.sendall(b"".join(lines))
    if gpsd:
        gpsd.sendall(b"?DEVICES;?POLL;\n")
    seen = [read(connection, b"\0", len(lines)) for connection, lines in calls]
    if geoclue:
        seen.append(geoclue.properties())
    polled = ""
    while gpsd and '"class":"POLL"' not in polled:
        polled += read(gpsd, b"\n", 1)
    # The replies to the watch may come between.
    seen.append("\n".join(sorted(polled.split("\n"))))
    if geoclue:
        seen.append(geoclue.events())
    seen += [waiting(connection) for connection in streams]
    for number, text in enumerate(seen):
        for pattern, replacement in hidden:
            text = pattern.sub(replacement, text)
        seen[number] = "\n".join(map(ordered, text.split("\0")))
    sys.stdout.write(json.dumps(seen) + "\n")
    sys.stdout.flush()
