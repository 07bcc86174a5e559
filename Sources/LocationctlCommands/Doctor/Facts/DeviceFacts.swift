internal import LocationProtocol

/// A serial port or receiver, as udev describes it.
struct DeviceFacts: Sendable, Equatable {
    /// The device node, such as `/dev/ttyACM0`.
    var node: String
    /// The other names of the node in udev's database: symbolic links.
    var links: [String] = []
    /// The links that exist.
    var existingLinks: Set<String> = []
    /// The product's name for users, such as `FT232R USB UART`.
    var product: String
    /// The serial number, `ID_SERIAL_SHORT`.
    var serialNumber: String?
    /// The serial number with maker and model, `ID_SERIAL`.
    var label: String?
    /// A Boolean value indicating whether udev's rules have marked the device as a receiver.
    var isReceiver = false
    /// A Boolean value indicating whether udev's hardware database lists the device's USB ids as a receiver's.
    var isInHardwareDatabase = false
    /// A Boolean value indicating whether udev's rules make ModemManager ignore the device.
    var isIgnoredByModemManager = false
    /// A Boolean value indicating whether the port is a modem's, which ModemManager may use.
    var isModemPort = false
    /// A Boolean value indicating whether gpsd's rules hand the device to gpsd.
    var isClaimedByGPSD = false

    /// The `source` that names the device in the configuration.
    var source: String {
        if let serial = serialNumber ?? label { return "usb:\(serial)" }
        return "serial:\(links.filter { $0.hasPrefix("/dev/serial/by-path/") }.min() ?? node)"
    }

    /// Returns whether one of the daemon's receivers is this device.
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
