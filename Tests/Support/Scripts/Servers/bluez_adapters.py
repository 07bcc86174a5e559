# A double of BlueZ with adapters that discover devices, on the bus in DBUS_SYSTEM_BUS_ADDRESS. It behaves as bluetoothd
# 5.82 does with a filter of DuplicateData: each advertisement is a signal. The argument is its state as JSON: with
# "monitors", it offers advertisement monitors, as bluetoothd does that runs experimental. Each line of input is a
# command. Prints the requests that it receives.
import json, os, sys
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
UUID = bytes.fromhex("e2c56db5dffb48d2b060d0f5a71096e0")
ADAPTER = Gio.DBusNodeInfo.new_for_xml("""<node><interface name='org.bluez.Adapter1'>
<method name='SetDiscoveryFilter'><arg type='a{sv}' direction='in'/></method>
<method name='StartDiscovery'/><method name='StopDiscovery'/>
<property name='Address' type='s' access='read'/><property name='Powered' type='b' access='read'/>
<property name='PowerState' type='s' access='read'/></interface></node>""").interfaces[0]
MANAGER = Gio.DBusNodeInfo.new_for_xml("""<node><interface name='org.bluez.AdvertisementMonitorManager1'>
<method name='RegisterMonitor'><arg type='o' direction='in'/></method>
<method name='UnregisterMonitor'><arg type='o' direction='in'/></method></interface></node>""").interfaces[0]
MONITOR, OBJECTS = "org.bluez.AdvertisementMonitor1", "org.freedesktop.DBus.ObjectManager"
state = {"powered": True, "blocked": False, "busy": 0, "adapters": 1} | json.loads(sys.argv[1])
if state.get("forged"): discovering = {"/org/bluez/hci0"}
else: discovering = set()
known, repeated = set(), {}
monitors, found, roots = {}, set(), {}

def say(*words): print(*words, flush=True)

def signal(path, interface, name, value): bus.emit_signal(None, path, interface, name, value)

def property_of(_connection, _sender, _path, _interface, name):
    power = "on" if state["powered"] else "off-blocked" if state["blocked"] else "off"
    return {"Address": GLib.Variant("s", "00:AA:01:00:00:42"), "Powered": GLib.Variant("b", state["powered"]),
            "PowerState": GLib.Variant("s", power)}[name]

def call(_connection, sender, path, _interface, method, arguments, invocation):
    say(method, *([json.dumps(arguments.unpack()[0], sort_keys=True)] if method == "SetDiscoveryFilter" else []))
    if method == "StartDiscovery":
        error = "NotReady" if not state["powered"] else "InProgress" if state["busy"] > 0 else None
        state["busy"] -= 1
        if error: return invocation.return_dbus_error("org.bluez.Error." + error, "Operation already in progress")
        if not discovering: Gio.bus_watch_name_on_connection(bus, sender, 0, None, left)
        discovering.add(path)
    if method == "StopDiscovery": discovering.discard(path)
    invocation.return_value(None)

def manage(_connection, sender, _path, _interface, method, arguments, invocation):
    root = arguments.unpack()[0]
    say(method)
    if method == "UnregisterMonitor":
        bus.signal_unsubscribe(roots.pop(root))
        for path in [path for path in monitors if path.startswith(root + "/")]: del monitors[path]
        return invocation.return_value(None)

    def listed(connection, result):
        # Nothing may be exported before the answer.
        assert connection.call_finish(result).unpack() == ({},)
        roots[root] = bus.signal_subscribe(sender, OBJECTS, None, root, None, 0, changed)
        invocation.return_value(None)
    bus.call(sender, root, OBJECTS, "GetManagedObjects", None, None, 0, -1, None, listed)

def changed(_connection, sender, _root, _interface, member, arguments):
    path, values = arguments.unpack()
    if member == "InterfacesRemoved": return monitors.pop(path, None)
    properties = values[MONITOR]
    (start, kind, content), = properties["Patterns"]
    say("monitor", properties["Type"], start, kind, bytes(content).hex(), properties["RSSIHighTimeout"],
        properties["RSSILowTimeout"])
    monitors[path] = (sender, bytes(content))
    bus.call(sender, path, MONITOR, "Activate", None, None, 0, -1, None, None)

def report(member, address):
    """Calls the monitors of an address, which are all."""
    for path, (sender, _) in list(monitors.items()):
        device = GLib.Variant("(o)", (f"/org/bluez/hci0/dev_{address}",))
        bus.call(sender, path, MONITOR, member, device, None, 0, -1, None, None)

def watch():
    """Reports the beacons that have come or gone, without the time that bluetoothd waits."""
    present = {address for address, (manufacturer, _) in repeated.items()
               if any((b"\x4c\0" + bytes(manufacturer.unpack()[0x4C])).startswith(content)
                      for _, content in monitors.values())}
    for address in present - found: report("DeviceFound", address)
    for address in found - present: report("DeviceLost", address)
    found.clear()
    found.update(present)

def left(_connection, _name):
    discovering.clear()
    say("left")

def data(major, minor, power=-59):
    value = b"\x02\x15" + UUID + major.to_bytes(2, "big") + minor.to_bytes(2, "big") + bytes([power & 255])
    return GLib.Variant("a{qv}", {0x004C: GLib.Variant("ay", value)})

def advertise(address, manufacturer, rssi):
    """One advertisement at each adapter that scans."""
    for adapter in sorted(discovering):
        path = f"{adapter}/dev_{address}"
        values = {"RSSI": GLib.Variant("n", rssi), "ManufacturerData": manufacturer}
        if path in known:
            signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                   GLib.Variant("(sa{sv}as)", ("org.bluez.Device1", values, [])))
        else:
            known.add(path)
            signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
                   GLib.Variant("(oa{sa{sv}})", (path, {"org.bluez.Device1": values})))

def change_power(is_powered):
    state["powered"], state["blocked"] = is_powered, False
    discovering.clear()
    for number in range(state["adapters"]):
        signal(f"/org/bluez/hci{number}", "org.freedesktop.DBus.Properties", "PropertiesChanged",
               GLib.Variant("(sa{sv}as)", ("org.bluez.Adapter1", {
                   "Powered": GLib.Variant("b", is_powered),
                   "PowerState": GLib.Variant("s", "on" if is_powered else "off")}, [])))

def repeat():
    for address, (manufacturer, rssi) in repeated.items(): advertise(address, manufacturer, rssi)
    if monitors: watch()
    return True

def receive(*_):
    lines = os.read(0, 65536).decode()
    if not lines: sys.exit()
    for line in lines.splitlines(): command(line.split())
    return True

def command(words):
    if words[0] == "beacon":  # MAJOR MINOR RSSI: advertises ten times a second from now on
        major, minor, rssi = map(int, words[1:])
        repeated[f"{major:04X}_{minor:04X}"] = (data(major, minor), rssi)
    elif words[0] == "silence": repeated.clear()
    elif words[0] == "chatter":  # COUNT: devices of other kinds, as often
        for number in range(int(words[1])):
            repeated[f"C_{number}"] = (GLib.Variant("a{qv}", {0x004C: GLib.Variant("ay", b"\x10\x05\x01\x02")}), -70)
    elif words[0] == "flood":  # COUNT: advertisements at once, each with another identity and address
        for number in range(int(words[1])): advertise(f"F_{number}", data(number >> 8 & 255, number & 65535), -40)
    elif words[0] == "large":  # BYTES: manufacturer data of that size
        value = GLib.Variant.new_from_bytes(GLib.VariantType("ay"), GLib.Bytes.new(bytes(int(words[1]))), True)
        advertise("L", GLib.Variant("a{qv}", {0x004C: value, 0x0001: value}), -40)
    elif words[0] == "release":  # as where the kernel has no monitors
        for path, (sender, _) in list(monitors.items()):
            bus.call(sender, path, MONITOR, "Release", None, None, 0, -1, None, None)
    elif words[0] == "power": change_power(words[1] == "on")

bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
for number in range(state["adapters"]):
    bus.register_object(f"/org/bluez/hci{number}", ADAPTER, call, property_of, None)
    if state.get("monitors"): bus.register_object(f"/org/bluez/hci{number}", MANAGER, manage, None, None)
bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
              GLib.Variant("(su)", ("org.bluez", 4)), None, 0, -1, None)
GLib.timeout_add(100, repeat)
GLib.io_add_watch(0, GLib.IOCondition.IN | GLib.IOCondition.HUP, receive)
say("ready")
GLib.MainLoop().run()
