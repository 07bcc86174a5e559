/// A serial port or GNSS node of this machine, as described by udev.
public struct Device: Sendable, Hashable {
    /// The current device node: `/dev/ttyACM0`.
    public var node: String
    /// Further names of the node: `/dev/serial/by-id/…`.
    public var links: [String] = []
    /// The serial number that the manufacturer stored in the device, for example `0001`, or `nil` if there is none.
    public var serialNumber: String?
    /// Manufacturer, model and serial number in one string, udev's `ID_SERIAL`, or `nil` on a bus that does not
    /// report them.
    public var label: String?
    /// The port within the device, or `nil` off USB: the USB interface, such as `00`, with `-1` for a
    /// converter's second port.
    public var interface: String?
    /// The physical place: the path from the machine to the port that the device is plugged into.
    public var path: String
    /// The path in sysfs, with the device's own parts below it, or an empty string if it is not known.
    public var place = ""
    /// The display name of the product: `u-blox 7`.
    public var product: String
    /// A Boolean value indicating whether udev's rules identify the device as a GNSS receiver and nothing else.
    public var isReceiver = false

    /// Creates a device with only its place and product known.
    public init(node: String, path: String, product: String) {
        self.node = node
        self.path = path
        self.product = product
    }

    /// An identity that stays the same wherever the device is plugged in, unless `label` is `nil`. Devices of one
    /// model without serial numbers share it.
    public var identity: String {
        (label ?? path) + (interface.map { "-if\($0)" } ?? "")
    }

    /// The specification that a user writes in the configuration to name this device.
    public var specification: ReceiverSpecification {
        if let serial = serialNumber ?? label { return .usb(serial: serial, baudRate: nil) }
        // The node's own name changes with what else is plugged in.
        let stable = ["/dev/gnss-", "/dev/serial/by-path/"].lazy.compactMap { prefix in
            links.filter { $0.hasPrefix(prefix) }.min()
        }
        return .serial(path: stable.first ?? node, baudRate: nil)
    }

    /// Returns whether `specification` refers to this device.
    public func isMeant(by specification: ReceiverSpecification) -> Bool {
        switch specification {
        case .serial(let path, _): path == node || links.contains(path)
        case .usb(let serial, _): serial == serialNumber || serial == label
        case .gpsd, .socket, .modem, .bluetooth, .fixed, .simulated, .replay: false
        }
    }
}

extension Collection<Device> {
    /// Returns the port that `usb:SERIAL` refers to: preferably a receiver, then the first port of the device.
    ///
    /// - Parameter current: The node that was chosen before. It remains the choice while it is present.
    public func meant(bySerial serial: String, current: String?) -> Device? {
        let candidates = filter { $0.isMeant(by: .usb(serial: serial, baudRate: nil)) }
        return candidates.first { $0.node == current }
            ?? candidates.min {
                ($0.isReceiver ? 0 : 1, $0.identity, $0.path) < ($1.isReceiver ? 0 : 1, $1.identity, $1.path)
            }
    }
}
