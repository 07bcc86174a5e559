import TestSupport

/// A device with a serial port on a mocked USB, or a node of the gnss subsystem, as umockdev-record would describe
/// it.
struct MockedDevice {
    /// The name of the node, such as `ttyACM0`.
    var node: String
    /// The values of the USB descriptor.
    var vendor = "1546"
    var product = "01a7"
    var maker: String? = "u-blox AG - www.u-blox.com"
    var name: String? = "u-blox 7 - GPS/GNSS Receiver"
    var serial: String?
    /// The number of the USB interface of the port.
    var interface = "00"
    /// The number of the port within its interface, if a driver for serial converters has created it.
    var converterPort: Int?
    /// The number of the USB socket that it is plugged into.
    var socket = 1
    /// The properties that udev's rules have set.
    var properties: [String: String] = [:]

    /// Creates a u-blox 7.
    init(_ node: String, socket: Int = 1) {
        self.node = node
        self.socket = socket
    }

    /// Creates a device with these ids and names.
    init(_ node: String, id: String, maker: String? = nil, name: String? = nil, serial: String? = nil) {
        self.node = node
        let ids = id.split(separator: ":").map(String.init)
        (vendor, product) = (ids[0].lowercased(), ids[1].lowercased())
        (self.maker, self.name, self.serial) = (maker, name, serial)
        if node.hasPrefix("ttyUSB") { converterPort = 0 }
    }

    private var isBuiltIn: Bool { node.hasPrefix("gnss") }
    private var controller: String { "/devices/pci0000:00/0000:00:14.0" }
    private var hub: String { controller + "/usb1" }
    private var usbInterface: String { "\(usbDevice)/1-\(socket):1.\(Int(interface, radix: 16) ?? 0)" }

    /// The path of the USB device in sysfs, below /sys.
    var usbDevice: String { "\(hub)/1-\(socket)" }

    /// The path of the port in sysfs, below /sys.
    var port: String {
        if isBuiltIn { return "/devices/platform/soc/serial0/serial0-0/gnss/\(node)" }
        return usbInterface + (converterPort == nil ? "" : "/\(node)") + "/tty/\(node)"
    }

    /// Returns the description of the port and its parents. With a wire, its node is that of the wire, and umockdev
    /// creates none.
    func description(at wire: Wire? = nil) -> String {
        blocks(node: wire.map { ["E: DEVNAME=\($0.path)"] } ?? ["N: \(node)", "E: DEVNAME=/dev/\(node)"]).map {
            "P: \($0.path)\n" + $0.lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }

    private struct Block {
        let path: String
        let lines: [String]

        init(_ path: String, _ lines: [String]) { (self.path, self.lines) = (path, lines) }
    }

    private func blocks(node lines: [String]) -> [Block] {
        var lines = lines + ["E: SUBSYSTEM=\(isBuiltIn ? "gnss" : "tty")"]
        lines += ["E: MAJOR=\(converterPort == nil ? 166 : 188)", "E: MINOR=\(node.drop { !$0.isNumber })"]
        if isBuiltIn { lines.append("A: type=UBX\\n") }
        lines += properties.map { "E: \($0)=\($1)" }.sorted()
        let parents =
            isBuiltIn
            ? [
                Block("/devices/platform/soc/serial0/serial0-0", ["E: SUBSYSTEM=serial"]),
                Block("/devices/platform/soc", ["E: SUBSYSTEM=platform"]),
            ] : usb
        return [Block(port, lines)] + parents
    }

    private var usb: [Block] {
        let ids = "v\(vendor.uppercased())p\(product.uppercased())"
        var attributes = [
            "idVendor=\(vendor)", "idProduct=\(product)", "bcdDevice=0100", "busnum=1", "devnum=\(socket + 1)",
            "bDeviceClass=00",
        ]
        for (key, value) in [("manufacturer", maker), ("product", name), ("serial", serial)] {
            if let value { attributes.append("\(key)=\(value)") }
        }
        let number = "001/00\(socket + 1)"
        return
            (converterPort.map {
                [Block("\(usbInterface)/\(node)", ["E: SUBSYSTEM=usb-serial", "A: port_number=\($0)\\n"])]
            } ?? []) + [
                Block(
                    usbInterface,
                    [
                        "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_interface",
                        "E: MODALIAS=usb:\(ids)d0100dc00dsc00dp00ic02isc02ip01in\(interface)",
                        "A: bInterfaceNumber=\(interface)\\n", "A: bInterfaceClass=02\\n",
                        "A: bInterfaceSubClass=02\\n", "A: bInterfaceProtocol=01\\n",
                    ]),
                Block(
                    usbDevice,
                    [
                        "N: bus/usb/\(number)", "E: DEVNAME=/dev/bus/usb/\(number)", "E: SUBSYSTEM=usb",
                        "E: DEVTYPE=usb_device", "E: MAJOR=189", "E: MINOR=\(socket)",
                    ] + attributes.map { "A: \($0)\\n" }),
                Block(
                    hub, ["E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device", "A: idVendor=1d6b\\n", "A: idProduct=0002\\n"]),
                Block(controller, ["E: SUBSYSTEM=pci"]),
            ]
    }
}
