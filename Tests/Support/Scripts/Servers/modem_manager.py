# A template of python-dbusmock: ModemManager with the modems in the parameter "modems", a list of objects. Those with
# "capabilities" have a location, and answer in the way "answer". While there is the file "hold", Setup is not answered.
import os, time
import dbus
from dbusmock import mockobject

BUS_NAME = "org.freedesktop.ModemManager1"
MAIN_OBJ = "/org/freedesktop/ModemManager1"
MAIN_IFACE = "org.freedesktop.ModemManager1"
SYSTEM_BUS = True
IS_OBJECT_MANAGER = True
MODEM = "org.freedesktop.ModemManager1.Modem"
LOCATION = "org.freedesktop.ModemManager1.Modem.Location"

def sentence(text):
    checksum = 0
    for byte in text.encode(): checksum ^= byte
    return f"${text}*{checksum:02X}"

def answer(kind, latitude):
    """What GetLocation answers."""
    now = time.gmtime()
    clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    lines = [
        sentence(f"GPGGA,{clock},{latitude},N,01131.000000,E,1,08,0.9,545.4,M,46.9,M,,"),
        sentence(f"GPRMC,{clock},A,{latitude},N,01131.000000,E,0.0,0.0,{date},,,A")]
    text = "\r\n".join(lines)
    if kind == "doubled": text = "".join(line + "\r\n\r\n" for line in lines)
    if kind == "long": text += "\r\n" + "$" * (1 << 20)
    if kind == "absurd": text = "$GPGGA,\x01\u20ac,,,,,\r\r\n\n$\n$$$,,*\r\n"
    if kind == "cell": return dbus.Dictionary({dbus.UInt32(1): "262,01,84CD,2BAF,9C40"}, "uv")
    if kind == "wrong":
        # Sentences under other sources, and something else under theirs.
        return dbus.Dictionary({
            dbus.UInt32(4): dbus.UInt64(7), dbus.UInt32(1): text, dbus.UInt32(2): dbus.Array([text], "s")}, "uv")
    if kind == "other": return dbus.Dictionary({text: 4}, "sv")
    return dbus.Dictionary({dbus.UInt32(4): text}, "uv")

def load(mock, parameters):
    def setup(modem, sources, signal):
        while os.path.exists(parameters.get("hold", "")): time.sleep(0.01)
        modem.UpdateProperties(
            LOCATION, {"Enabled": dbus.UInt32(sources), "SignalsLocation": dbus.Boolean(signal)})

    for number, modem in enumerate(parameters["modems"]):
        path = f"{MAIN_OBJ}/Modem/{number}"
        mock.AddObject(path, MODEM, {
            "EquipmentIdentifier": modem.get("imei", ""), "Device": f"/sys/devices/{number}", "Model": "EC25",
            "State": dbus.Int32(modem.get("state", 8)), "StateFailedReason": dbus.UInt32(0)}, [])
        if "capabilities" not in modem: continue
        kind, latitude = modem.get("answer", "plain"), modem.get("latitude", "4807.038000")
        def get(_, kind=kind, latitude=latitude): return answer(kind, latitude)
        mockobject.objects[path].AddProperties(LOCATION, {
            "Capabilities": dbus.UInt32(modem["capabilities"]), "Enabled": dbus.UInt32(1), "SignalsLocation": False})
        mockobject.objects[path].AddMethods(LOCATION, [
            ("Setup", "ub", "", setup), ("GetLocation", "", "a{sv}" if kind == "other" else "a{uv}", get)])
