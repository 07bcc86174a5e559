public import Devices

/// The port that a serial receiver is plugged into.
public struct ReceiverPort: Sendable, Hashable {
    /// The device node, or a link to it: `/dev/ttyACM0`.
    public var node: String
    /// The name for remembering the device, regardless of its node.
    public var device: String

    /// Creates a port from a node and the device at it.
    public init(node: String, device: String) {
        self.node = node
        self.device = device
    }
}

extension ReceiverSpecification {
    /// The port that the specification names, or `nil` if it names a device or does not use a serial port.
    public var port: ReceiverPort? {
        if case .serial(let path, _) = self { ReceiverPort(node: path, device: path) } else { nil }
    }
}
