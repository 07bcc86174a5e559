/// A serial port or GNSS node of this machine, as udev tells of it.
public struct Device: Sendable, Hashable {
    /// The node that it has now: `/dev/ttyACM0`.
    public var node: String
    /// The other names of the node: `/dev/serial/by-id/…`.
    public var links: [String] = []
    /// What its maker has put into it, for example `0001`; `nil` where that is nothing.
    public var serialNumber: String?
    /// Maker, model and serial number in one, udev's `ID_SERIAL`; `nil` for what is on no bus that tells them.
    public var label: String?
    /// Which of the ports of a device it is: the USB interface as `00`, with `-1` for the converter's second port.
    public var interface: String?
    /// Where it is plugged in: the way from the machine to it.
    public var path: String
    /// What people call such a device: `u-blox 7`.
    public var product: String
    /// A Boolean value indicating whether it is a GNSS receiver and nothing else, by udev's rules.
    public var isReceiver = false

    /// A device at that place that nothing else is known of.
    public init(node: String, path: String, product: String) {
        self.node = node
        self.path = path
        self.product = product
    }

    /// What stays the same wherever it is plugged in. Two devices of one model share it if their maker did not number them.
    public var identity: String {
        (label ?? path) + (interface.map { "-if\($0)" } ?? "")
    }

    /// How a user names it in the configuration.
    public var specification: ReceiverSpecification {
        if let serial = serialNumber ?? label { return .usb(serial: serial, baudRate: nil) }
        return .serial(path: links.filter { $0.hasPrefix("/dev/gnss-") }.min() ?? node, baudRate: nil)
    }

    /// Returns whether a user who writes `specification` means it.
    public func isMeant(by specification: ReceiverSpecification) -> Bool {
        switch specification {
        case .serial(let path, _): path == node || links.contains(path)
        case .usb(let serial, _): serial == serialNumber || serial == label
        case .gpsd, .simulated, .replay: false
        }
    }
}

extension Collection<Device> {
    /// The port that `usb:SERIAL` means among these: a receiver rather than another port, then the first one of the device.
    ///
    /// - Parameter current: the node that was meant before. It stays the one for as long as it is among them.
    public func meant(bySerial serial: String, current: String?) -> Device? {
        let candidates = filter { $0.isMeant(by: .usb(serial: serial, baudRate: nil)) }
        return candidates.first { $0.node == current }
            ?? candidates.min {
                ($0.isReceiver ? 0 : 1, $0.identity, $0.path) < ($1.isReceiver ? 0 : 1, $1.identity, $1.path)
            }
    }
}
