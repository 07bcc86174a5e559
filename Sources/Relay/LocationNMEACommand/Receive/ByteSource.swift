internal import NIOCore
internal import NMEARelay

/// One of the ways bytes come from the network. Confined to the event loop. A source that fails tries again by
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
