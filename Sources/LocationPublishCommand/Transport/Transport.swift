internal import NIOCore
internal import Publishing

/// A message to send, with its token, identity and expiry.
struct OutgoingMessage: Sendable {
    var message: Message
    /// The token under which the message is acknowledged.
    var token: SendQueue.Token
    /// The identity of a report, or `nil` for other messages.
    var identity: ReportIdentity?
    /// The seconds after which the broker drops a message that a client has not collected, or `nil` for never.
    var expirySeconds: Int?
}

/// An event of a connection to the server.
enum TransportEvent: Sendable {
    /// The server has accepted the connection.
    case connected
    /// The server has acknowledged a message.
    case acknowledged(SendQueue.Token)
    /// The server has ended the connection after it had answered everything, as an HTTP server may. No event follows.
    case finished
    /// The connection has ended, or could not be made. No event follows. The reason contains no positions; `nil` if
    /// the publisher closed it.
    case closed(reason: String?)
}

/// One connection to the server, which is being made from its creation on.
protocol Transport: AnyObject, Sendable {
    /// Sends a message after all earlier ones.
    func send(_ message: OutgoingMessage)

    /// Ends the connection. If `gracefully`, what was sent before is written first, for a few seconds at most.
    func close(gracefully: Bool)
}

/// The way to connect to a server.
struct TransportKind: Sendable {
    /// The maximum number of reports on their way.
    let window: Int
    /// Starts a connection. Its events are reported on the loop.
    let connect: @Sendable (any EventLoop, @escaping @Sendable (TransportEvent) -> Void) -> any Transport
}
