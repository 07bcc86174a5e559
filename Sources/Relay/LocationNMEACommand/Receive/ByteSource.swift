internal import NIOCore
internal import NMEARelay

/// A source of bytes in the network. Confined to the event loop. A source that fails retries by itself, with growing
/// delays, until it is stopped.
protocol ByteSource: AnyObject {
    /// Connects or starts to listen. Called once.
    func start()
    /// Closes everything. Nothing is passed on after that.
    func stop()
}

/// The identity of a sender.
enum Sender: Hashable {
    /// A TCP connection.
    case connection(ObjectIdentifier)
    /// A host that sends datagrams. Its port may differ in each.
    case host(IPAddress)
}

/// The object that receives the bytes of a ``ByteSource``.
protocol ByteSink: AnyObject {
    /// Passes bytes on if `sender` has the turn.
    ///
    /// - Parameter name: The sender's name for the log.
    func receive(_ bytes: ByteBuffer, from sender: Sender, named name: String)
    /// Returns whether no other sender has the turn.
    func isOpen(to sender: Sender) -> Bool
    /// Handles the departure of a sender.
    func senderLeft(_ sender: Sender)
    /// Reports the state in words, for the service manager.
    func report(_ status: String)
}
