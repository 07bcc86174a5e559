"""A BlueZ on a bus, by hand, so that its signals can hold anything."""

import struct
import threading

from bus import Program

NAME = "org.bluez"
ADAPTER = "/org/bluez/hci0"
DEVICE = "org.bluez.Device1"
MONITOR = "org.bluez.AdvertisementMonitor1"
BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
APPLE = 0x004C
UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4


class Body:
    """Arguments in the wire's form, little endian: D-Bus specification, "Marshaling (Wire Format)"."""

    def __init__(self):
        self.data = bytearray()

    def align(self, size):
        self.data += b"\0" * (-len(self.data) % size)
        return self

    def number(self, form, value):
        self.align(struct.calcsize(form))
        self.data += struct.pack("<" + form, value)
        return self

    def string(self, text):
        data = text.encode()
        self.number("I", len(data))
        self.data += data + b"\0"
        return self

    def signature(self, text):
        self.data += bytes([len(text)]) + text.encode() + b"\0"
        return self

    def array(self, size, fill):
        """Appends an array of elements aligned to `size`, which `fill` appends to this body."""
        self.number("I", 0)
        place = len(self.data) - 4
        begin = len(self.align(size).data)
        fill(self)
        struct.pack_into("<I", self.data, place, len(self.data) - begin)
        return self

    def bytes(self, data):
        """Appends an array of bytes."""
        self.number("I", len(data))
        self.data += data
        return self


def message(kind, serial, fields, signature="", body=b""):
    """Returns a message. `fields` are those of the header: code, type and value."""
    header = Body()
    for code, form, value in fields + ([(8, "g", signature)] if signature else []):
        header.align(8)
        header.data += bytes([code]) + b"\1" + form.encode() + b"\0"
        if form == "u":
            header.number("I", value)
        elif form == "g":
            header.signature(value)
        else:
            header.string(value)
    start = struct.pack("<cBBBIII", b"l", kind, 0 if kind == CALL else 1, 1, len(body), serial, len(header.data))
    return start + bytes(header.align(8).data) + bytes(body)


def beacon(major, minor, power=-59):
    """Returns the manufacturer data of a beacon."""
    return (b"\x02\x15" + bytes.fromhex(UUID.replace("-", "")) + struct.pack(">HH", major, minor)
            + struct.pack("b", power))


def properties(data=None, rssi=None, company=APPLE, wrong=False):
    """Returns a function that appends the properties of a device to a body. `wrong`: all have the wrong type."""
    def fill(body):
        if rssi is not None:
            body.align(8).string("RSSI")
            body.signature("s").string("loud") if wrong else body.signature("n").number("h", rssi)
        if data is not None:
            body.align(8).string("ManufacturerData")
            if wrong:
                body.signature("a{qs}").array(8, lambda items: items.align(8).number("H", company).string("data"))
            else:
                body.signature("a{qv}").array(
                    8, lambda items: items.align(8).number("H", company).signature("ay").bytes(data))
    return lambda body: body.array(8, fill)


def signal(path, interface, member, signature, body, destination=None):
    """Returns a signal."""
    fields = [(1, "o", path), (2, "s", interface), (3, "s", member)]
    return message(SIGNAL, 1, fields + ([(6, "s", destination)] if destination else []), signature, body.data)


def changed(address, *values, destination=None, **others):
    """Returns the signal that a device is heard again, with its `properties`."""
    body = Body().string(DEVICE)
    properties(*values, **others)(body)
    return signal(f"{ADAPTER}/dev_{address}", f"{BUS}.Properties", "PropertiesChanged", "sa{sv}as",
                  body.array(4, lambda _: None), destination)


def added(address, *values, **others):
    """Returns the signal that a device is heard for the first time."""
    body = Body().string(f"{ADAPTER}/dev_{address}")

    def fill(interfaces):
        interfaces.align(8).string(DEVICE)
        properties(*values, **others)(interfaces)
    return signal("/", f"{BUS}.ObjectManager", "InterfacesAdded", "oa{sa{sv}}", body.array(8, fill))


# The argument of a monitor's report: the path of a device.
DEVICE_ARGUMENT = bytes(Body().string(f"{ADAPTER}/dev_X").data)


class BlueZ(Program):
    """The program with BlueZ's name, and one adapter. It answers on a thread of its own.

    calls: the methods that were called. signals: those that were sent to it. paths: those of the monitors that the
    daemon has announced. answers: the types of the answers to its own calls, by their serial numbers. client: the
    daemon's name on the bus, or None before its first call.
    """

    def __init__(self, path, monitors=False):
        super().__init__(path)
        self.monitors, self.calls, self.signals, self.client = monitors, [], [], None
        self.paths, self.answers = [], {}
        self.lock = threading.Lock()
        self.call(BUS, BUS_PATH, BUS, "RequestName", "su", bytes(Body().string(NAME).number("I", 4).data))
        self.socket.settimeout(None)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        try:
            while True:
                kind, fields = self._message()
                if kind == SIGNAL:
                    if fields.get(3) == "InterfacesAdded" and fields.get(7) == self.client:
                        size, = struct.unpack_from("<I", self.body)
                        self.paths.append(self.body[4:4 + size].decode())
                    self.signals.append(fields.get(3))
                elif kind in (REPLY, ERROR):
                    self.answers[fields.get(5)] = kind
                elif kind == CALL:
                    self.handle(fields)
        except OSError:
            pass

    def handle(self, fields):
        """Answers a call as BlueZ does."""
        member, self.client = fields[3], fields[7]
        answer = [(5, "u", fields[0]), (6, "s", fields[7])]
        if member == "Introspect":
            data = message(REPLY, 1, answer, "s", Body().string('<node><node name="hci0"/></node>').data)
        elif member == "GetAll":
            body = Body().array(8, lambda entries: entries.align(8).string("Powered").signature("b").number("I", 1))
            data = message(REPLY, 1, answer, "a{sv}", body.data)
        elif member.endswith("Monitor") and not self.monitors:
            data = message(ERROR, 1, answer + [(4, "s", f"{BUS}.Error.UnknownMethod")])
        else:
            data = message(REPLY, 1, answer)
        self.transmit(data)
        self.calls.append(member)

    def report(self, path):
        """Has a monitor of the daemon report a beacon. Returns the serial number of the call."""
        with self.lock:
            return self.send(self.client, path, MONITOR, "DeviceFound", "o", DEVICE_ARGUMENT)

    def transmit(self, data):
        """Sends messages."""
        with self.lock:
            self.socket.sendall(data)

    def close(self):
        self.socket.shutdown(2)
        super().close()
