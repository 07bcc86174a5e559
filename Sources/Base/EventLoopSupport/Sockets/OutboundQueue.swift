public import NIOCore

/// The messages that wait until a peer reads. They decide which one is sent next.
public protocol WaitingMessages {
    /// A Boolean value indicating whether nothing waits.
    var isEmpty: Bool { get }
    /// Removes and returns the message that is sent next, or `nil` if nothing waits.
    mutating func removeFirst() -> ByteBuffer?
    /// Drops everything, because the connection is closed.
    mutating func dropAll()
}

/// The outbound half of a connection. It decides what is sent at once, what waits for the socket, and when the
/// connection is closed.
///
/// It does no I/O: it is notified of the socket's events, and returns the next action.
public struct OutboundQueue<Waiting: WaitingMessages> {
    /// An action of the connection.
    public enum Action: Equatable {
        case write(ByteBuffer)
        case close
    }

    @usableFromInline
    enum State {
        /// Messages are accepted.
        case open
        /// Nothing more is accepted. The connection is closed once the socket has accepted everything.
        case draining
        case closed
    }

    @usableFromInline var state = State.open
    /// A Boolean value indicating whether the socket is full and has not yet accepted all of a message.
    @usableFromInline var isBlocked = false
    /// The waiting messages.
    public var waiting: Waiting

    /// Creates an open queue.
    @inlinable
    public init(_ waiting: Waiting) {
        self.waiting = waiting
    }

    /// A Boolean value indicating whether the queue sends nothing any more.
    @inlinable public var isClosed: Bool { state == .closed }
    /// A Boolean value indicating whether the socket has accepted everything.
    @inlinable public var isFlushed: Bool { !isBlocked && waiting.isEmpty }

    /// Sends a message at once if the socket is free. Drops it if nothing more is accepted.
    ///
    /// - Parameter wait: Adds the message to the waiting ones. Returns `false` if there are too many, which closes the
    ///   connection.
    @inlinable
    public mutating func send(_ message: ByteBuffer, orWait wait: (inout Waiting) -> Bool) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(message) }
        return wait(&waiting) ? nil : .close
    }

    /// Handles that the socket accepted only a part of a message. The rest follows by itself.
    @inlinable
    public mutating func didBlock() { isBlocked = true }

    /// Handles that the rest was sent. ``next()`` returns the next action.
    @inlinable
    public mutating func didUnblock() { isBlocked = false }

    /// Returns the next action while the socket is free: writing the next message, or closing a drained connection.
    @inlinable
    public mutating func next() -> Action? {
        guard !isBlocked, !isClosed else { return nil }
        if let message = waiting.removeFirst() { return .write(message) }
        return state == .draining ? .close : nil
    }

    /// Accepts no more messages. The connection is closed once the socket has accepted the waiting ones.
    @inlinable
    public mutating func drain() -> Action? {
        guard !isClosed else { return nil }
        state = .draining
        return isFlushed ? .close : nil
    }

    /// Drops all messages.
    @inlinable
    public mutating func close() {
        state = .closed
        waiting.dropAll()
    }
}
