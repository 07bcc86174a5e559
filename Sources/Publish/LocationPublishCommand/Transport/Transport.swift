internal import NIOCore
internal import Publishing

/// A message to send, with its token, identity and expiry.
struct OutgoingMessage: Sendable {
    var message: Message
    /// The token that the acknowledgement repeats.
    var token: SendQueue.Token
    /// The identity of the report, or of the first of several; `nil` for other messages.
    var identity: ReportIdentity?
    /// The seconds after which the broker drops an uncollected message, or `nil` for never.
    var expirySeconds: Int?
}

/// An event of a connection to the server.
enum TransportEvent: Sendable {
    /// The server has accepted the connection.
    case connected
    /// Messages may be sent. With HTTP, the first answer shows whether the server accepts the connection.
    case ready
    /// The server has acknowledged a message.
    case acknowledged(SendQueue.Token)
    /// The server will never accept this message. The reason contains nothing from it.
    case refused(SendQueue.Token, reason: String)
    /// The server has failed at this message, which is to be sent again. The connection then ends.
    case failed(SendQueue.Token, reason: String)
    /// The connection has ended, or could not be made. No event follows. The reason contains no locations; `nil` if the
    /// publisher closed it. A `pause` is the minimum time before reconnecting.
    case closed(reason: String?, pause: TimeAmount? = nil)
}

/// A connection to the server, which starts connecting when created.
protocol Transport: AnyObject, Sendable {
    /// Sends a message after all earlier ones.
    func send(_ message: OutgoingMessage)

    /// Ends the connection. If `gracefully`, messages already sent are written first, for a few seconds at most.
    func close(gracefully: Bool)
}

/// The way to connect to a server.
struct TransportKind: Sendable {
    /// The maximum number of messages in flight.
    let window: Int
    /// The timeout for the server to accept a connection, and to acknowledge at least one message in flight; `nil` if
    /// connections have their own deadlines.
    var answerTimeout: TimeAmount?
    /// Starts a connection. Its events are reported on the loop.
    let connect: @Sendable (any EventLoop, @escaping @Sendable (TransportEvent) -> Void) -> any Transport
}
