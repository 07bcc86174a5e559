# A double of NetworkManager with one wireless and one wired device, on the bus in DBUS_SYSTEM_BUS_ADDRESS. Each line of
# input is a state as JSON: "heard", the access points [address, strength, name] of a scan that has just ended, or none
# if there was no scan, "own", the address of the one that the device is connected to, and "gateway", of the wired
# network. With "speed", other properties change. It sends the signals that NetworkManager 1.42 sends for the change.
# Prints the number of readings after each one, and "scan" for each request of a scan.
import json, os, sys, time
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
NM = "org.freedesktop.NetworkManager"
ROOT, WIRELESS, WIRED = "/org/freedesktop/NetworkManager", "/Devices/1", "/Devices/2"
MANAGER = """<node><interface name='org.freedesktop.DBus.ObjectManager'>
  <method name='GetManagedObjects'><arg type='a{oa{sa{sv}}}' direction='out'/></method></interface></node>"""
SCANS = """<node><interface name='org.freedesktop.NetworkManager.Device.Wireless'>
  <method name='RequestScan'><arg type='a{sv}' direction='in'/></method></interface></node>"""
state = {"own": "", "gateway": "", "points": {}, "scan": -1}
requests = 0

def path(address): return ROOT + "/AccessPoint/" + address.replace(":", "_")

def objects():
    result = {
        ROOT + WIRELESS: {
            NM + ".Device": {
                "DeviceType": GLib.Variant("u", 2), "State": GLib.Variant("u", 100 if state["own"] else 30),
                "Ip4Config": GLib.Variant("o", "/")},
            NM + ".Device.Wireless": {
                "LastScan": GLib.Variant("x", state["scan"]), "Mode": GLib.Variant("u", 2),
                "ActiveAccessPoint": GLib.Variant("o", path(state["own"]) if state["own"] else "/")}},
        ROOT + WIRED: {
            NM + ".Device": {
                "DeviceType": GLib.Variant("u", 1), "State": GLib.Variant("u", 100 if state["gateway"] else 20),
                "Ip4Config": GLib.Variant("o", ROOT + "/IP4Config/1" if state["gateway"] else "/")}},
        ROOT + "/IP4Config/1": {NM + ".IP4Config": {"Gateway": GLib.Variant("s", state["gateway"])}}}
    for address, (strength, name, seen) in state["points"].items():
        result[path(address)] = {NM + ".AccessPoint": {
            "HwAddress": GLib.Variant("s", address), "Ssid": GLib.Variant("ay", name.encode()),
            "Strength": GLib.Variant("y", strength), "Mode": GLib.Variant("u", 2), "LastSeen": GLib.Variant("i", seen),
            "Frequency": GLib.Variant("u", 2437)}}
    return GLib.Variant("(a{oa{sa{sv}}})", (result,))

def call(connection, sender, path, interface, method, arguments, invocation):
    global requests
    requests += 1
    print(requests, flush=True)
    invocation.return_value(objects())

def scan(connection, sender, path, interface, method, arguments, invocation):
    print("scan", flush=True)
    invocation.return_value(None)

def change(line):
    new = json.loads(line)
    before = set(state["points"])
    if "heard" in new:
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        state["scan"] = int(now * 1000)
        state["points"] = {address: (strength, name, int(now)) for address, strength, name in new["heard"]}
    for address in before ^ set(state["points"]):
        member = "AccessPointAdded" if address in state["points"] else "AccessPointRemoved"
        bus.emit_signal(None, ROOT + WIRELESS, NM + ".Device.Wireless", member, GLib.Variant("(o)", (path(address),)))
    if "heard" in new: changed(WIRELESS, NM + ".Device.Wireless", LastScan=GLib.Variant("x", state["scan"]))
    if "speed" in new:
        changed(WIRELESS, NM + ".Device.Wireless", Bitrate=GLib.Variant("u", 1))
        changed("/ActiveConnection/1", NM + ".Connection.Active", Vpn=GLib.Variant("b", False))
        changed("", NM, Connectivity=GLib.Variant("u", 4))
    for key in ("own", "gateway"):
        if new.get(key, state[key]) == state[key]: continue
        state[key] = new[key]
        changed("/ActiveConnection/1", NM + ".Connection.Active", State=GLib.Variant("u", 2))

def changed(place, interface, **values):
    bus.emit_signal(
        None, ROOT + place, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        GLib.Variant("(sa{sv}as)", (interface, values, [])))

def read(source, condition):
    line = sys.stdin.readline()
    if not line: os._exit(0)
    change(line)
    return True

bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
bus.register_object("/org/freedesktop", Gio.DBusNodeInfo.new_for_xml(MANAGER).interfaces[0], call, None, None)
bus.register_object(ROOT + WIRELESS, Gio.DBusNodeInfo.new_for_xml(SCANS).interfaces[0], scan, None, None)
Gio.bus_own_name_on_connection(
    bus, NM, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), lambda *_: os._exit(1))
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, read)
GLib.MainLoop().run()
