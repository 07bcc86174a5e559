public import NIOCore

/// Bytes that a receiver has sent.
public final class ReceivedBytes: Sendable {
    /// The name of the receiver.
    public let receiver: String
    /// The bytes.
    public let bytes: [UInt8]
    /// The time of the read.
    public let time: NIODeadline

    /// Creates bytes from a receiver.
    public init(receiver: String, bytes: [UInt8], time: NIODeadline) {
        (self.receiver, self.bytes, self.time) = (receiver, bytes, time)
    }
}
