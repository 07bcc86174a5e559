internal import ForeignText

extension Device {
    /// Returns the serial ports on USB and the receivers on any bus in udev's database. Empty if there is no udev.
    public static func all() -> [Device] { UdevEntry.all { Device($0) } }

    /// Creates a device from its database entry, or returns `nil` if it has no node or has gone in the meantime.
    public init?(_ entry: UdevEntry) {
        guard let node = entry.node, let place = entry.path else { return nil }
        let isReceiver = entry.property("ID_LOCATIOND") == "1"
        let product =
            entry.property("ID_LOCATIOND_NAME") ?? entry.attribute("product", ofParent: "usb", "usb_device")
            ?? entry.property("ID_MODEL")?.replacing("_", with: " ")
        self.init(
            node: node, path: entry.property("ID_PATH") ?? place,
            product: DisplayName.short(product ?? (isReceiver ? "receiver" : "serial port")))
        self.place = place
        links = entry.property("DEVLINKS")?.split(separator: " ").map(String.init) ?? []
        serialNumber = entry.property("ID_SERIAL_SHORT")
        label = entry.property("ID_SERIAL")
        if let number = entry.property("ID_USB_INTERFACE_NUM") {
            let port = entry.attribute("port_number", ofParent: "usb-serial").flatMap { $0 == "0" ? nil : "-\($0)" }
            interface = number + (port ?? "")
        }
        self.isReceiver = isReceiver
    }
}

/// Sanitizing of the names that devices report, for display to users.
enum DisplayName {
    /// The maximum length of a name, in characters.
    static let limit = 40

    /// Returns the name without characters that control a terminal or break a log line, cut to the limit.
    ///
    /// Attack: a device reports a name with a line break and a forged log line, or with a terminal's escape sequence.
    static func short(_ name: String) -> String {
        let printable = name.unicodeScalars.filter {
            ForeignText.isHarmless($0) && !$0.properties.isDefaultIgnorableCodePoint
        }
        var text = String(String.UnicodeScalarView(printable))
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace).prefix(limit))
    }
}
