# A double of BlueZ with one adapter and one device, on the bus in DBUS_SYSTEM_BUS_ADDRESS. It behaves as bluetoothd
# 5.82 does, except that the connection by the serial port profile is a pair of Unix sockets: an RFCOMM socket needs the
# kernel's Bluetooth. The argument is its state as JSON; each line of input is a command. Prints what it is asked for.
import json, os, socket, sys, time
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
ADDRESS, ADAPTER = "10:C6:FC:12:34:56", "/org/bluez/hci0"
DEVICE = ADAPTER + "/dev_" + ADDRESS.replace(":", "_")
OUTPUT = DEVICE + "/service0010/char0011"
SERIAL = "00001101-0000-1000-8000-00805f9b34fb"
NORDIC, NOTIFICATIONS = "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
INTERFACES = """<node>
<interface name='org.freedesktop.DBus.ObjectManager'>
  <method name='GetManagedObjects'><arg type='a{oa{sa{sv}}}' direction='out'/></method></interface>
<interface name='org.bluez.ProfileManager1'><method name='RegisterProfile'>
  <arg type='o' direction='in'/><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/></method></interface>
<interface name='org.bluez.Device1'><method name='Connect'/><method name='Disconnect'/>
  <method name='ConnectProfile'><arg type='s' direction='in'/></method></interface>
<interface name='org.bluez.GattCharacteristic1'><method name='AcquireNotify'>
  <arg type='a{sv}' direction='in'/><arg type='h' direction='out'/><arg type='q' direction='out'/></method></interface>
</node>"""
state = {"service": "serial", "paired": True, "powered": True, "connected": False, "taken": False, "error": None,
         "others": 0} | json.loads(sys.argv[1])
profile, stream, watch, due = None, None, None, time.time()

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

def properties():
    return {"Address": GLib.Variant("s", ADDRESS), "Alias": GLib.Variant("s", "GLO #1"),
            "Adapter": GLib.Variant("o", ADAPTER), "Paired": GLib.Variant("b", state["paired"]),
            "Connected": GLib.Variant("b", state["connected"]), "UUIDs": GLib.Variant("as", uuids()),
            "ServicesResolved": GLib.Variant("b", state["connected"])}

def objects():
    known = {ADAPTER: {"org.bluez.Adapter1": {
        "Address": GLib.Variant("s", "00:AA:01:00:00:42"), "Powered": GLib.Variant("b", state["powered"])}}}
    if state["paired"] is not None: known[DEVICE] = {"org.bluez.Device1": properties()}
    if state["connected"] and state["service"] == "nordic":
        known[OUTPUT] = {"org.bluez.GattCharacteristic1": {"UUID": GLib.Variant("s", NOTIFICATIONS)}}
    for number in range(state["others"]):
        known[f"{ADAPTER}/dev_{number}"] = {"org.bluez.Device1": {"RSSI": GLib.Variant("n", -60)}}
    return known

def change(path, interface, **values):
    bus.emit_signal(None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    GLib.Variant("(sa{sv}as)", (interface, values, [])))

def connected(is_connected):
    state["connected"] = is_connected
    value = GLib.Variant("b", is_connected)
    change(DEVICE, "org.bluez.Device1", Connected=value)
    change(DEVICE, "org.bluez.Device1", ServicesResolved=value)

def make_stream():
    """Returns a list with the end of a new stream that is handed over."""
    global stream, watch
    hang_up()
    stream, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
    watch = GLib.unix_fd_add_full(0, stream.fileno(), GLib.IOCondition.HUP, closed)
    descriptors = Gio.UnixFDList.new()
    descriptors.append(other.fileno())
    other.close()
    return descriptors

def closed(*_):
    global watch
    watch = None
    hang_up()
    say("closed")
    return False

def hang_up():
    global stream, watch
    if watch: GLib.source_remove(watch)
    if stream: stream.close()
    stream = watch = None

def send():
    try:
        for piece in epoch() if stream else []: stream.send(piece)
    except OSError: pass
    return True

def call(_connection, sender, _path, _interface, method, arguments, invocation):
    global profile
    if method != "GetManagedObjects": say(method)
    error = state["error"]
    if method == "GetManagedObjects":
        invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (objects(),)))
    elif method == "RegisterProfile" and state["taken"]:
        invocation.return_dbus_error("org.bluez.Error.NotPermitted", "UUID already registered")
    elif method == "RegisterProfile":
        path, uuid, options = arguments.unpack()
        say("profile", uuid, json.dumps(options, sort_keys=True))
        profile = (sender, path)
        Gio.bus_watch_name_on_connection(bus, sender, 0, None, lambda *_: say("left"))
        invocation.return_value(None)
    elif method in ("Connect", "ConnectProfile") and error:
        invocation.return_dbus_error("org.bluez.Error." + error[0], error[1])
    elif method == "Connect":
        state["connected"] = True
        connected(True)
        invocation.return_value(None)
    elif method == "ConnectProfile":
        connected(True)
        offer(invocation)
    elif method == "AcquireNotify":
        invocation.return_value_with_unix_fd_list(GLib.Variant("(hq)", (0, 64)), make_stream())
    elif method == "Disconnect":
        hang_up()
        connected(False)
        invocation.return_value(None)

def offer(invocation=None, device=DEVICE):
    def answered(connection, result):
        try: connection.call_with_unix_fd_list_finish(result)
        except GLib.Error as failure:
            say("refused")
            if invocation: invocation.return_dbus_error("org.bluez.Error.Failed", "br-connection-refused")
        else:
            say("accepted")
            if invocation: invocation.return_value(None)
    bus.call_with_unix_fd_list(
        *profile, "org.bluez.Profile1", "NewConnection", GLib.Variant("(oha{sv})", (device, 0, {})), None, 0, 25000,
        make_stream() if device == DEVICE else Gio.UnixFDList.new_from_array([os.open("/dev/null", os.O_RDONLY)]), None,
        answered)

def command(*_):
    line = sys.stdin.readline()
    if not line: sys.exit()
    words = line.split()
    if words[0] == "out-of-range":
        hang_up()
        connected(False)
        state["error"] = ["Failed", "br-connection-page-timeout"]
    elif words[0] == "in-range": state["error"] = None
    elif words[0] == "hang-up": hang_up()
    elif words[0] == "offer-other": offer(None, ADAPTER + "/dev_66_66_66_66_66_66")
    elif words[0] == "power-off":
        state["powered"] = False
        change(ADAPTER, "org.bluez.Adapter1", Powered=GLib.Variant("b", False))
    elif words[0] in ("RequestDisconnection", "Release"):
        arguments = GLib.Variant("(o)", (DEVICE,)) if words[0] == "RequestDisconnection" else None
        bus.call(*profile, "org.bluez.Profile1", words[0], arguments, None, 0, -1, None, None)
    return True

bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
manager, profiles, device, characteristic = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
for path, interface in (("/", manager), ("/org/bluez", profiles), (DEVICE, device), (OUTPUT, characteristic)):
    bus.register_object(path, interface, call, None, None)
Gio.bus_own_name_on_connection(bus, "org.bluez", 0, lambda *_: say("ready"), None)
GLib.io_add_watch(sys.stdin, GLib.IOCondition.IN | GLib.IOCondition.HUP, command)
GLib.timeout_add(100, send)
GLib.MainLoop().run()
