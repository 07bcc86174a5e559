# A double of BlueZ with one adapter and one device or two, on the bus in DBUS_SYSTEM_BUS_ADDRESS. It behaves as
# bluetoothd 5.82 does, except that the connection by the serial port profile is a pair of Unix sockets: an RFCOMM
# socket needs the kernel's Bluetooth. The argument is its state as JSON; each line of input is a command, about the
# first device. Prints its requests.
import json, os, socket, sys, time
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
ADAPTER = "/org/bluez/hci0"
SERIAL = "00001101-0000-1000-8000-00805f9b34fb"
NORDIC, NOTIFICATIONS = "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
INTERFACES = """<node>
<interface name='org.freedesktop.DBus.ObjectManager'>
  <method name='GetManagedObjects'><arg type='a{oa{sa{sv}}}' direction='out'/></method></interface>
<interface name='org.bluez.ProfileManager1'><method name='RegisterProfile'>
  <arg type='o' direction='in'/><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/></method>
  <method name='UnregisterProfile'><arg type='o' direction='in'/></method></interface>
<interface name='org.bluez.Device1'><method name='Connect'/><method name='Disconnect'/>
  <method name='ConnectProfile'><arg type='s' direction='in'/></method></interface>
<interface name='org.bluez.GattCharacteristic1'><method name='AcquireNotify'>
  <arg type='a{sv}' direction='in'/><arg type='h' direction='out'/><arg type='q' direction='out'/></method></interface>
</node>"""
state = {"service": "serial", "paired": True, "powered": True, "connected": False, "taken": False, "error": None,
         "others": 0, "devices": 1, "battery": None} | json.loads(sys.argv[1])
profile, due = None, time.time()

class Device:
    """A device: the address ends with its number."""

    def __init__(self, number):
        self.address = f"10:C6:FC:12:34:{number}"
        self.path = ADAPTER + "/dev_" + self.address.replace(":", "_")
        self.output = self.path + "/service0010/char0011"
        self.connected, self.stream, self.watch = state["connected"], None, None
        bus.register_object(self.path, device_interface, call, None, None)
        bus.register_object(self.output, characteristic, call, None, None)

    def properties(self):
        return {"Address": GLib.Variant("s", self.address), "Alias": GLib.Variant("s", "GLO #1"),
                "Adapter": GLib.Variant("o", ADAPTER), "Paired": GLib.Variant("b", state["paired"]),
                "Connected": GLib.Variant("b", self.connected), "UUIDs": GLib.Variant("as", uuids()),
                "ServicesResolved": GLib.Variant("b", self.connected)}

    def battery(self): return {"org.bluez.Battery1": {"Percentage": GLib.Variant("y", state["battery"])}}

    def connect(self, is_connected):
        if is_connected and state["battery"] is not None and not self.connected:
            bus.emit_signal(None, "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
                            GLib.Variant("(oa{sa{sv}})", (self.path, self.battery())))
        self.connected = is_connected
        value = GLib.Variant("b", is_connected)
        change(self.path, "org.bluez.Device1", Connected=value)
        change(self.path, "org.bluez.Device1", ServicesResolved=value)

    def make_stream(self):
        """Returns a list with the end of a new stream that is handed over."""
        self.hang_up()
        self.stream, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self.watch = GLib.unix_fd_add_full(0, self.stream.fileno(), GLib.IOCondition.HUP, self.closed)
        descriptors = Gio.UnixFDList.new()
        descriptors.append(other.fileno())
        other.close()
        return descriptors

    def closed(self, *_):
        self.watch = None
        self.hang_up()
        say("closed")
        return False

    def hang_up(self):
        if self.watch: GLib.source_remove(self.watch)
        if self.stream: self.stream.close()
        self.stream = self.watch = None

def say(*words): print(*words, flush=True)

def sentence(text):
    checksum = 0
    for byte in text.encode(): checksum ^= byte
    return f"${text}*{checksum:02X}\r\n"

def epoch():
    """The sentences of the next tenth of a second that has passed, in pieces such as Bluetooth makes of them."""
    global due
    due = max(due + 0.1, int(time.time() * 10) / 10)
    now = time.gmtime(due)
    clock = time.strftime("%H%M%S", now) + f"{due % 1:.2f}"[1:]
    text = sentence(f"GPGGA,{clock},4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,") + sentence(
        f"GPRMC,{clock},A,4807.0380,N,01131.0000,E,0.0,0.0,{time.strftime('%d%m%y', now)},,,A")
    return [text[start:start + 20].encode() for start in range(0, len(text), 20)]

def uuids(): return [SERIAL if state["service"] == "serial" else NORDIC] if state["service"] else []

def objects():
    known = {ADAPTER: {"org.bluez.Adapter1": {
        "Address": GLib.Variant("s", "00:AA:01:00:00:42"), "Powered": GLib.Variant("b", state["powered"])}}}
    for device in devices if state["paired"] is not None else []:
        known[device.path] = {"org.bluez.Device1": device.properties()}
        if device.connected and state["battery"] is not None: known[device.path] |= device.battery()
        if device.connected and state["service"] == "nordic":
            known[device.output] = {"org.bluez.GattCharacteristic1": {"UUID": GLib.Variant("s", NOTIFICATIONS)}}
    for number in range(state["others"]):
        known[f"{ADAPTER}/dev_{number}"] = {"org.bluez.Device1": {"RSSI": GLib.Variant("n", -60)}}
    return known

def change(path, interface, **values):
    bus.emit_signal(None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    GLib.Variant("(sa{sv}as)", (interface, values, [])))

def send():
    pieces = epoch()
    for device in devices:
        try:
            for piece in pieces if device.stream else []: device.stream.send(piece)
        except OSError: pass
    return True

def forget_profile():
    global profile
    profile = None

def left(_connection, name):
    if profile and profile[0] == name: forget_profile()
    say("left")

def call(_connection, sender, path, _interface, method, arguments, invocation):
    global profile
    if method != "GetManagedObjects": say(method)
    error = state["error"]
    device = next((device for device in devices if path.startswith(device.path)), None)
    if method == "GetManagedObjects":
        invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (objects(),)))
    elif method == "RegisterProfile" and (state["taken"] or profile):
        invocation.return_dbus_error("org.bluez.Error.NotPermitted", "UUID already registered")
    elif method == "RegisterProfile":
        path, uuid, options = arguments.unpack()
        say("profile", uuid, json.dumps(options, sort_keys=True))
        profile = (sender, path)
        Gio.bus_watch_name_on_connection(bus, sender, 0, None, left)
        invocation.return_value(None)
    elif method == "UnregisterProfile":
        forget_profile()
        invocation.return_value(None)
    elif method in ("Connect", "ConnectProfile") and error:
        invocation.return_dbus_error("org.bluez.Error." + error[0], error[1])
    elif method == "Connect":
        device.connect(True)
        invocation.return_value(None)
    elif method == "ConnectProfile":
        device.connect(True)
        offer(device.path, device.make_stream(), invocation)
    elif method == "AcquireNotify":
        invocation.return_value_with_unix_fd_list(GLib.Variant("(hq)", (0, 64)), device.make_stream())
    elif method == "Disconnect":
        device.hang_up()
        device.connect(False)
        invocation.return_value(None)

def offer(path, descriptors, invocation=None):
    def answered(connection, result):
        try: connection.call_with_unix_fd_list_finish(result)
        except GLib.Error:
            say("refused")
            if invocation: invocation.return_dbus_error("org.bluez.Error.Failed", "br-connection-refused")
        else:
            say("accepted")
            if invocation: invocation.return_value(None)
    bus.call_with_unix_fd_list(
        *profile, "org.bluez.Profile1", "NewConnection", GLib.Variant("(oha{sv})", (path, 0, {})), None, 0, 25000,
        descriptors, None, answered)

def command(*_):
    line = sys.stdin.readline()
    if not line: sys.exit()
    words = line.split()
    if words[0] == "out-of-range":
        devices[0].hang_up()
        devices[0].connect(False)
        state["error"] = ["Failed", "br-connection-page-timeout"]
    elif words[0] == "in-range": state["error"] = None
    elif words[0] == "hang-up": devices[0].hang_up()
    elif words[0] == "offer-other":
        offer(ADAPTER + "/dev_66_66_66_66_66_66",
              Gio.UnixFDList.new_from_array([os.open("/dev/null", os.O_RDONLY)]))
    elif words[0] == "power-off":
        state["powered"] = False
        change(ADAPTER, "org.bluez.Adapter1", Powered=GLib.Variant("b", False))
    elif words[0] == "battery":
        state["battery"] = int(words[1])
        change(devices[0].path, "org.bluez.Battery1", Percentage=GLib.Variant("y", state["battery"]))
    elif words[0] in ("RequestDisconnection", "Release"):
        arguments = GLib.Variant("(o)", (devices[0].path,)) if words[0] == "RequestDisconnection" else None
        bus.call(*profile, "org.bluez.Profile1", words[0], arguments, None, 0, -1, None, None)
        if words[0] == "Release": forget_profile()
    return True

bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
manager, profiles, device_interface, characteristic = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
for path, interface in (("/", manager), ("/org/bluez", profiles)):
    bus.register_object(path, interface, call, None, None)
devices = [Device(56 + number) for number in range(state["devices"])]
Gio.bus_own_name_on_connection(bus, "org.bluez", 0, lambda *_: say("ready"), None)
GLib.io_add_watch(sys.stdin, GLib.IOCondition.IN | GLib.IOCondition.HUP, command)
GLib.timeout_add(100, send)
GLib.MainLoop().run()
