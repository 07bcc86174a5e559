#!/usr/bin/python3
"""The other side of the air, run in the machine.

    bluetooth-device serial ADAPTER...         makes receivers of these adapters, with the serial port profile
    bluetooth-device nordic ADAPTER...         ... with Nordic's UART service, and a battery that is half empty
    bluetooth-device pair ADAPTER ADDRESS      finds a device with an adapter of this machine's, and pairs it

To each client, a receiver sends an epoch a second, of this machine's clock. BlueZ accepts a profile once, and
locationd has it: so the server is one of another UUID, whose record is that of the serial port profile.
"""

import contextlib
import os
import sys
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

SERIAL_PORT = "00001101-0000-1000-8000-00805f9b34fb"
NORDIC = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFICATIONS = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
BATTERY, BATTERY_LEVEL = "0000180f-0000-1000-8000-00805f9b34fb", "00002a19-0000-1000-8000-00805f9b34fb"
CHANNEL = 7

#: The time of an attempt to find or to pair a device, in seconds.
ATTEMPT = 25

RECORD = f"""<?xml version="1.0" encoding="UTF-8" ?>
<record>
  <attribute id="0x0001"><sequence><uuid value="0x1101"/></sequence></attribute>
  <attribute id="0x0004"><sequence>
    <sequence><uuid value="0x0100"/></sequence>
    <sequence><uuid value="0x0003"/><uint8 value="0x{CHANNEL:02x}"/></sequence>
  </sequence></attribute>
  <attribute id="0x0005"><sequence><uuid value="0x1002"/></sequence></attribute>
  <attribute id="0x0009"><sequence>
    <sequence><uuid value="0x1101"/><uint16 value="0x0102"/></sequence>
  </sequence></attribute>
  <attribute id="0x0100"><text value="GNSS"/></attribute>
</record>"""


def say(*words):
    print(*words, flush=True)


def sentence(text):
    checksum = 0
    for byte in text.encode():
        checksum ^= byte
    return f"${text}*{checksum:02X}\r\n"


def epoch():
    """Returns the sentences of this second, at the place of the machine's other receivers."""
    now = time.gmtime()
    clock, place = time.strftime("%H%M%S.00", now), "4331.9260,S,17238.1720,E"
    return (sentence(f"GPRMC,{clock},A,{place},0.0,0.0,{time.strftime('%d%m%y', now)},,,A")
            + sentence(f"GPGGA,{clock},{place},1,09,0.9,21.4,M,10.2,M,,")).encode()


class Agent(dbus.service.Object):
    """Accepts everything."""

    @dbus.service.method("org.bluez.Agent1", in_signature="ou")
    def RequestConfirmation(self, device, passkey):
        pass

    @dbus.service.method("org.bluez.Agent1", in_signature="o")
    def RequestAuthorization(self, device):
        pass

    @dbus.service.method("org.bluez.Agent1", in_signature="os")
    def AuthorizeService(self, device, uuid):
        pass

    @dbus.service.method("org.bluez.Agent1")
    def Release(self):
        pass

    @dbus.service.method("org.bluez.Agent1")
    def Cancel(self):
        pass


class Serial(dbus.service.Object):
    """The server of the serial port profile."""

    connections = {}

    @dbus.service.method("org.bluez.Profile1", in_signature="oha{sv}")
    def NewConnection(self, device, descriptor, properties):
        say("connected", device)
        self.connections[device] = descriptor.take()
        os.set_blocking(self.connections[device], False)

    @dbus.service.method("org.bluez.Profile1", in_signature="o")
    def RequestDisconnection(self, device):
        self.drop(device)

    @dbus.service.method("org.bluez.Profile1")
    def Release(self):
        pass

    def drop(self, device):
        """Closes a connection."""
        descriptor = self.connections.pop(device, None)
        if descriptor is not None:
            os.close(descriptor)
            say("closed", device)

    def send(self, data):
        """Sends to all that are connected."""
        for device, descriptor in list(self.connections.items()):
            try:
                os.write(descriptor, data)
            except BlockingIOError:
                pass
            except OSError:
                self.drop(device)


class Attributes(dbus.service.Object):
    """An object of a GATT application: a service, or its one characteristic."""

    def __init__(self, bus, path, interface, properties):
        super().__init__(bus, path)
        self.path, self.properties = path, {interface: properties}

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.properties[interface]

    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass


class Characteristic(Attributes):
    """A characteristic that can be read and notified."""

    INTERFACE = "org.bluez.GattCharacteristic1"

    def __init__(self, bus, path, uuid, service, value):
        super().__init__(bus, path, self.INTERFACE, {
            "UUID": uuid, "Service": dbus.ObjectPath(service), "Flags": dbus.Array(["read", "notify"], "s")})
        self.value, self.is_notifying = value, False

    @dbus.service.method(INTERFACE, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options):
        return dbus.ByteArray(self.value)

    @dbus.service.method(INTERFACE)
    def StartNotify(self):
        self.is_notifying = True
        say("notifying", self.path)

    @dbus.service.method(INTERFACE)
    def StopNotify(self):
        self.is_notifying = False
        say("silent", self.path)

    def send(self, data):
        """Notifies, in pieces as they fit into a notification of the least size."""
        for start in range(0, len(data) if self.is_notifying else 0, 20):
            self.PropertiesChanged(self.INTERFACE, {"Value": dbus.ByteArray(data[start:start + 20])}, [])


class Application(dbus.service.Object):
    """The GATT application: Nordic's UART service and a battery."""

    def __init__(self, bus):
        super().__init__(bus, "/device")
        service = "org.bluez.GattService1"
        self.output = Characteristic(bus, "/device/nordic/output", NOTIFICATIONS, "/device/nordic", b"")
        self.objects = [
            Attributes(bus, "/device/nordic", service, {"UUID": NORDIC, "Primary": True}), self.output,
            Attributes(bus, "/device/battery", service, {"UUID": BATTERY, "Primary": True}),
            Characteristic(bus, "/device/battery/level", BATTERY_LEVEL, "/device/battery", bytes([50])),
        ]

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {dbus.ObjectPath(attributes.path): attributes.properties for attributes in self.objects}


class Advertisement(dbus.service.Object):
    """Makes the adapter known as a device with Nordic's service."""

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"Type": "peripheral", "ServiceUUIDs": dbus.Array([NORDIC], "s"), "LocalName": "Rover",
                "Discoverable": True}

    @dbus.service.method("org.bluez.LEAdvertisement1")
    def Release(self):
        pass


def interface(bus, path, name):
    """Returns an interface of an object of BlueZ's."""
    return dbus.Interface(bus.get_object("org.bluez", path), name)


def find(bus, adapter, path):
    """Finds a device. Begins again where its advertisements are not heard."""
    radio = interface(bus, f"/org/bluez/{adapter}", "org.bluez.Adapter1")
    objects = interface(bus, "/", "org.freedesktop.DBus.ObjectManager")
    while path not in objects.GetManagedObjects():
        radio.StartDiscovery()
        end = time.monotonic() + ATTEMPT
        while path not in objects.GetManagedObjects() and time.monotonic() < end:
            time.sleep(0.5)
        radio.StopDiscovery()


def pair(bus, adapter, address):
    """Finds a device, and pairs it, as a person does: once more, if nothing happens."""
    path = f"/org/bluez/{adapter}/dev_{address.replace(':', '_')}"
    interface(bus, f"/org/bluez/{adapter}", "org.freedesktop.DBus.Properties").Set(
        "org.bluez.Adapter1", "Powered", True)
    while True:
        find(bus, adapter, path)
        device = interface(bus, path, "org.bluez.Device1")
        try:
            return device.Pair(timeout=ATTEMPT)
        except dbus.DBusException as error:
            if error.get_dbus_name() == "org.bluez.Error.AlreadyExists":
                return None
            say("not paired:", error)
        # BlueZ goes on with an attempt until it is told to end it.
        for end in (device.CancelPairing, device.Disconnect):
            with contextlib.suppress(dbus.DBusException):
                end()


def serve(bus, kind, adapters):
    """Makes receivers of adapters."""
    serial = Serial(bus, "/serial")
    manager = interface(bus, "/org/bluez", "org.bluez.AgentManager1")
    agent = Agent(bus, "/agent")
    manager.RegisterAgent("/agent", "NoInputNoOutput")
    manager.RequestDefaultAgent("/agent")
    senders = [serial]
    if kind == "serial":
        interface(bus, "/org/bluez", "org.bluez.ProfileManager1").RegisterProfile(
            "/serial", "0000feed-0000-1000-8000-00805f9b34fb",
            {"Name": "GNSS", "Role": "server", "Channel": dbus.UInt16(CHANNEL), "ServiceRecord": RECORD,
             "RequireAuthentication": True, "RequireAuthorization": False})
    else:
        application, _advertisement = Application(bus), Advertisement(bus, "/advertisement")
        senders.append(application.output)
    for adapter in adapters:
        properties = interface(bus, f"/org/bluez/{adapter}", "org.freedesktop.DBus.Properties")
        properties.Set("org.bluez.Adapter1", "Powered", True)
        properties.Set("org.bluez.Adapter1", "DiscoverableTimeout", dbus.UInt32(0))
        properties.Set("org.bluez.Adapter1", "Discoverable", True)
        properties.Set("org.bluez.Adapter1", "Alias", f"GLO {adapter}")
        if kind == "nordic":
            path = f"/org/bluez/{adapter}"
            # Answered once BlueZ has read the objects, which this loop lets it do.
            interface(bus, path, "org.bluez.GattManager1").RegisterApplication(
                "/device", {}, reply_handler=lambda: say("application"), error_handler=lambda e: say("failed", e))
            interface(bus, path, "org.bluez.LEAdvertisingManager1").RegisterAdvertisement(
                "/advertisement", {}, reply_handler=lambda: say("advertising"),
                error_handler=lambda e: say("failed", e))

    def send():
        for sender in senders:
            sender.send(epoch())
        return True

    GLib.timeout_add_seconds(1, send)
    say("ready")
    GLib.MainLoop().run()
    agent.remove_from_connection()


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    kind, *arguments = sys.argv[1:]
    if kind == "pair":
        pair(bus, *arguments)
    else:
        serve(bus, kind, arguments)


main()
