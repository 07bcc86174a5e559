internal import ForeignText

/// Why a receiver gives no fixes.
public struct ReceiverFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: String, Sendable, Hashable {
        /// The device or file is not there.
        case missing
        /// Another process holds the port.
        case busy
        /// The rights of the daemon's user do not suffice.
        case notPermitted
        /// It was open and closed from the other side: unplugged, or gpsd has gone.
        case disconnected
        /// Nothing valid arrived for 5 s; for twice the interval and 5 s where fixes are wanted at longer intervals.
        case silent
        /// gpsd cannot be reached.
        case unreachable
        /// It is there, and is not what it should be: no serial port, no route.
        case unusable
        /// A replay has come to its end; it is not retried.
        case ended
    }

    /// The kind of failure.
    public var reason: Reason
    /// The device or server, what is wrong with it, and what a user can do: one line, in which no text that a gpsd, a
    /// device or a file brought along steers a terminal (``ForeignText``).
    public let message: String

    /// A failure of that kind with a text for people.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = ForeignText.line(message)
    }

    /// The message.
    public var description: String { message }
}
