internal import NIOCore
internal import Publishing

/// A message to send, with its token, identity and expiry.
struct OutgoingMessage: Sendable {
    var message: Message
    /// The token under which the message is acknowledged.
    var token: SendQueue.Token
    /// The identity of the report, or of the first of several, or `nil` for other messages.
    var identity: ReportIdentity?
    /// The seconds after which the broker drops a message that a client has not collected, or `nil` for never.
    var expirySeconds: Int?
}

/// An event of a connection to the server.
enum TransportEvent: Sendable {
    /// The server has accepted the connection.
    case connected
    /// Messages may be sent. With HTTP the answer to the first one shows whether the server accepts the connection.
    case ready
    /// The server has acknowledged a message.
    case acknowledged(SendQueue.Token)
    /// The server will never accept this message. The reason contains nothing of it.
    case refused(SendQueue.Token, reason: String)
    /// The server has failed at this message, which is to be sent again. The end of the connection follows.
    case failed(SendQueue.Token, reason: String)
    /// The connection has ended, or could not be made. No event follows. The reason contains no positions; `nil` if
    /// the publisher closed it. With a `pause` the server is to be left alone for at least that time.
    case closed(reason: String?, pause: TimeAmount? = nil)
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
    /// The maximum number of messages on their way.
    let window: Int
    /// The timeout for the server to accept a connection, and to acknowledge at least one message on its way;
    /// `nil` if connections have deadlines of their own.
    var answerTimeout: TimeAmount?
    /// Starts a connection. Its events are reported on the loop.
    let connect: @Sendable (any EventLoop, @escaping @Sendable (TransportEvent) -> Void) -> any Transport
}
