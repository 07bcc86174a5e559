/// Where a receiver on a serial line is plugged in.
public struct ReceiverPort: Sendable, Hashable {
    /// The node, or a link to it: `/dev/ttyACM0`.
    public var node: String
    /// What the device at it is remembered by, whatever its node is called.
    public var device: String

    /// That node, of that device.
    public init(node: String, device: String) {
        self.node = node
        self.device = device
    }
}

extension ReceiverSpecification {
    /// The port that it names itself; `nil` where it names a device, or something else than a port.
    public var port: ReceiverPort? {
        if case .serial(let path, _) = self { ReceiverPort(node: path, device: path) } else { nil }
    }
}
