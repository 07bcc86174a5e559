internal import LocationProtocol

/// A serial port or receiver, as udev tells of it.
struct DeviceFacts: Sendable, Equatable {
    /// `/dev/ttyACM0`.
    var node: String
    /// The other names of the node, by udev's database.
    var links: [String] = []
    /// Those links that are there.
    var linksPresent: Set<String> = []
    /// What people call it: `FT232R USB UART`.
    var product: String
    /// `ID_SERIAL_SHORT`, and `ID_SERIAL` with maker and model in it.
    var serialNumber: String?
    var label: String?
    /// A Boolean value indicating whether udev's rules called it a receiver.
    var isReceiver = false
    /// A Boolean value indicating whether udev's hwdb has its ids as those of a receiver.
    var isInHardwareDatabase = false
    /// A Boolean value indicating whether ModemManager was told to leave it alone, and whether it is a modem's port,
    /// which is ModemManager's own.
    var isIgnoredByModemManager = false
    var isOfModem = false
    /// A Boolean value indicating whether gpsd's rules hand it to gpsd.
    var isWantedByGPSD = false

    /// How the configuration names it.
    var source: String {
        if let serial = serialNumber ?? label { return "usb:\(serial)" }
        return "serial:\(links.filter { $0.hasPrefix("/dev/serial/by-path/") }.min() ?? node)"
    }

    /// Returns whether one of the daemon's receivers is this one.
    func isMeant(byOneOf receivers: [ReceiverSummary]) -> Bool {
        receivers.contains { receiver in
            if let port = receiver.port, port == node || links.contains(port) { return true }
            let source = ReceiverSource(receiver.specification)
            return switch source.kind {
            case "usb": source.value == serialNumber || source.value == label
            case "serial": source.value == node || links.contains(source.value)
            default: false
            }
        }
    }
}
