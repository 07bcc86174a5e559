internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// One of the ways by which bytes come from the network. Confined to the event loop. A source that fails tries again by
/// itself, with growing delays, until it is stopped.
protocol ByteSource: AnyObject {
    /// Connects or begins to listen. Called once.
    func start()
    /// Closes everything. Nothing is passed on afterwards.
    func stop()
}

/// The identity of a sender.
enum Sender: Hashable {
    /// A TCP connection.
    case connection(ObjectIdentifier)
    /// A host that sends datagrams. Its port may differ with each.
    case host(IPAddress)
}

/// The object that gets the bytes of a ``ByteSource``.
protocol ByteSink: AnyObject {
    /// Passes bytes on, if it is the turn of `sender`.
    ///
    /// - Parameter name: The sender's name for the log.
    func receive(_ bytes: ByteBuffer, from sender: Sender, named name: String)
    /// Returns whether no other sender has the turn.
    func isOpen(to sender: Sender) -> Bool
    /// A sender is gone.
    func senderLeft(_ sender: Sender)
    /// Reports the state in words, for the service manager.
    func report(_ status: String)
}

extension IPAddress {
    /// Creates the address of a peer, or returns `nil` if it has none.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(parsing: text)
    }
}

extension SocketAddress {
    /// The address without the port, for the log.
    var host: String { ipAddress ?? "an unknown host" }
}

extension Error {
    /// The reason of a failed connection or socket in the system's words, where it has some.
    var networkReason: String {
        let first = (self as? NIOConnectionError)?.connectionErrors.first?.error ?? self
        guard let error = first as? IOError else { return "\(first)" }
        return String(cString: strerror(error.errnoCode))
    }
}
