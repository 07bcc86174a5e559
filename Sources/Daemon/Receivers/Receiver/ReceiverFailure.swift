internal import ForeignText

/// The reason why a receiver produces no fixes.
public struct ReceiverFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    public enum Reason: String, Sendable, Hashable {
        /// The device or file does not exist.
        case missing
        /// Another process holds the port.
        case busy
        /// The daemon's user lacks the permissions.
        case notPermitted
        /// The other side closed the connection: the device was unplugged, or gpsd exited.
        case disconnected
        /// No valid data arrived for 5 s; if the receiver was set to an interval above 2.5 s, for 5 s plus twice that
        /// interval; or, if that is longer, for two and a half of the receiver's own intervals.
        case silent
        /// gpsd cannot be reached.
        case unreachable
        /// The device or file exists but is of the wrong kind: not a serial port, not a route.
        case unusable
        /// A replay has reached its end. It is not retried.
        case ended
    }

    /// The kind of failure.
    public var reason: Reason
    /// The device or server, the problem, and the remedy for the user. The message is a single line. Text from a gpsd,
    /// a device or a file in it cannot control a terminal (``ForeignText``).
    public let message: String

    /// Creates a failure of the given kind with a message for users.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = ForeignText.line(message)
    }

    /// The message.
    public var description: String { message }
}
