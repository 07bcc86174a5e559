internal import Devices
internal import LocationProtocol

/// A serial port or receiver, and what other programs may do with it.
@dynamicMemberLookup
struct DeviceFacts: Sendable, Equatable {
    var device: Device
    /// The links to the node that exist.
    var existingLinks: Set<String> = []
    /// A Boolean value indicating whether udev's hardware database lists the device's USB ids as a receiver's.
    var isInHardwareDatabase = false
    /// A Boolean value indicating whether udev's rules make ModemManager ignore the device.
    var isIgnoredByModemManager = false
    /// A Boolean value indicating whether the port is a modem's, which ModemManager may use.
    var isModemPort = false
    /// A Boolean value indicating whether gpsd's rules hand the device to gpsd.
    var isClaimedByGPSD = false

    subscript<Value>(dynamicMember property: WritableKeyPath<Device, Value>) -> Value {
        get { device[keyPath: property] }
        set { device[keyPath: property] = newValue }
    }

    /// The `source` that names the device in the configuration.
    var source: String { device.specification.description }

    /// Returns whether one of the daemon's receivers is this device.
    func isMeant(byOneOf receivers: [ReceiverSummary]) -> Bool {
        receivers.contains { receiver in
            if let port = receiver.port, port == device.node || device.links.contains(port) { return true }
            return receiver.source.map { device.isMeant(by: $0) } ?? false
        }
    }
}

extension ReceiverSummary {
    /// The specification, or `nil` if it is of a kind that this program does not know.
    var source: ReceiverSpecification? { try? ReceiverSpecification(parsing: specification) }
}
