# A modem with a receiver, as Quectel's EC25 behaves, on a machine mocked by umockdev. The argument is the state of its
# SIM. Prints the machine's folder, then each command that it gets.
import os, select, sys, threading, time
import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev
TIOCEXCL, TIOCNXCL = 0x540C, 0x540D
USB = "/devices/pci0000:00/0000:00:14.0/usb1/1-1"
SIM = {"none": "+CME ERROR: 10", "locked": "+CPIN: SIM PIN\r\n\r\nOK", "ready": "+CPIN: READY\r\n\r\nOK"}[sys.argv[1]]
VALUES = {
    "+GCAP": "+GCAP: +CGSM", "+CGMI": "Quectel", "+CGMM": "EC25", "+CGMR": "EC25EFAR06A01M4G",
    "+CGSN": "867698040000017", "I": "Quectel\r\nEC25", "+CFUN?": "+CFUN: 1",
    "+QGPS=?": "+QGPS: (1-4),(1-255),(1-1000),(0-1000),(1-65535)", "+CIMI": "001010000000001",
    "+WS46=?": "+WS46: (12,22,25,28,29)", "+CSCS=?": '+CSCS: ("IRA","GSM","UCS2")',
    "+CRSM=176,12258,0,0,10": '+CRSM: 144,0,"98100100000000000010"', "+CREG?": "+CREG: 2,0",
    "+CGREG?": "+CGREG: 2,0", "+CEREG?": "+CEREG: 2,0", "+CLCK=?": '+CLCK: ("SC")', '+CLCK="SC",2': "+CLCK: 0"}
TAKEN = ("E0", "V1", "+CMEE", "X4", "&C1", "+QGPSCFG", "+QGPSXTRA", "Z", "+CFUN=")

class Terminal(UMockdev.IoctlBase):
    """What umockdev's terminals lack."""
    def do_handle_ioctl(self, client):
        if client.get_request() not in (TIOCEXCL, TIOCNXCL): return False
        client.complete(0, 0)
        return True

def block(path, *lines): return "P: %s\n%s\n" % (path, "\n".join(lines))

def port(number, kind, *rules):
    node, interface = f"ttyUSB{number}", f"{USB}/1-1:1.{number}"
    return [
        block(interface, "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_interface", "E: DRIVER=option",
              "L: driver=../../../../../../bus/usb/drivers/option", f"A: bInterfaceNumber=0{number}\\n"),
        block(f"{interface}/{node}", "E: SUBSYSTEM=usb-serial", "E: DRIVER=option1", "A: port_number=0\\n",
              "L: driver=../../../../../../../bus/usb-serial/drivers/option1"),
        block(f"{interface}/{node}/tty/{node}", f"N: {node}", f"E: DEVNAME=/dev/{node}", "E: SUBSYSTEM=tty",
              "E: MAJOR=188", f"E: MINOR={number}", "E: ID_MM_CANDIDATE=1", f"E: {kind}=1", *rules)]

def sentence(text):
    checksum = 0
    for byte in text.encode(): checksum ^= byte
    return f"${text}*{checksum:02X}\r\n"

def epoch():
    now = time.gmtime()
    clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    return "".join(map(sentence, (
        "GPGSV,1,1,04,02,50,100,40,05,40,200,41,12,30,050,38,25,60,300,44",
        f"GPGGA,{clock},4807.038000,N,01131.{now.tm_sec:06},E,1,08,0.9,5{now.tm_sec:02}.0,M,46.9,M,,",
        "GPVTG,0.0,T,,M,0.0,N,0.0,K,A",
        f"GPRMC,{clock},A,4807.038000,N,01131.{now.tm_sec:06},E,0.0,0.0,{date},,,A",
        "GPGSA,A,3,02,05,12,25,,,,,,,,,1.5,0.9,1.2")))

machine = UMockdev.Testbed.new()
for description in [
    block("/devices/pci0000:00/0000:00:14.0", "E: SUBSYSTEM=pci"),
    block("/devices/pci0000:00/0000:00:14.0/usb1", "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device",
          "A: idVendor=1d6b\\n", "A: idProduct=0002\\n"),
    block(USB, "N: bus/usb/001/002", "E: DEVNAME=/dev/bus/usb/001/002", "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device",
          "E: MAJOR=189", "E: MINOR=1", "E: DRIVER=usb", "E: ID_VENDOR_ID=2c7c", "E: ID_MODEL_ID=0125",
          "A: idVendor=2c7c\\n", "A: idProduct=0125\\n", "A: bcdDevice=0318\\n", "A: busnum=1\\n", "A: devnum=2\\n",
          "A: bDeviceClass=ef\\n", "A: manufacturer=Quectel\\n", "A: product=EC25\\n"),
    *port(1, "ID_MM_PORT_TYPE_GPS", "E: ID_LOCATIOND=1"), *port(2, "ID_MM_PORT_TYPE_AT_PRIMARY")]:
    machine.add_from_string(description)
terminal = Terminal()
for node in "ttyUSB1", "ttyUSB2": machine.attach_ioctl("/dev/" + node, terminal)
threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
# A terminal that no program has open cannot be read.
held = [os.open(machine.get_root_dir() + "/dev/" + node, os.O_RDWR | os.O_NOCTTY) for node in ("ttyUSB1", "ttyUSB2")]
commands, receiver = machine.get_dev_fd("/dev/ttyUSB2"), machine.get_dev_fd("/dev/ttyUSB1")
print(machine.get_root_dir(), flush=True)

isOn, unread, due = False, b"", 0
while True:
    readable, _, _ = select.select([commands, sys.stdin], [], [], max(0, due - time.time()) if isOn else None)
    if sys.stdin in readable and not sys.stdin.read(1): sys.exit()
    if commands in readable: unread += os.read(commands, 4096)
    while b"\r" in unread:
        line, unread = unread.split(b"\r", 1)
        command = line.strip().decode(errors="replace")
        if not command: continue
        print(command, flush=True)
        command = command.removeprefix("AT")
        if command in VALUES: reply = VALUES[command] + "\r\n\r\nOK"
        elif command == "+CPIN?": reply = SIM
        elif command.startswith("+QGPS="): reply, isOn = "OK", True
        elif command == "+QGPSEND": reply, isOn = "OK" if isOn else "+CME ERROR: 505", False
        elif command == "" or command.startswith(TAKEN): reply = "OK"
        else: reply = "ERROR"
        os.write(commands, f"\r\n{reply}\r\n".encode())
    if isOn and time.time() >= due:
        due = int(time.time()) + 1
        os.write(receiver, epoch().encode())
