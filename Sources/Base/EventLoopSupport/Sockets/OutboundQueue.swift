package import NIOCore

/// The messages that wait until a peer reads, and which of them is sent next.
package protocol WaitingMessages {
    /// A Boolean value indicating whether nothing waits.
    var isEmpty: Bool { get }
    /// Removes and returns the message that is sent next, or `nil` if nothing waits.
    mutating func removeFirst() -> ByteBuffer?
    /// Drops everything, because the connection is closed.
    mutating func dropAll()
}

/// The outbound half of a connection: what is sent at once, what waits for the socket, and when the connection is
/// closed.
///
/// It has no I/O: it is notified of the socket's events and returns what to do.
package struct OutboundQueue<Waiting: WaitingMessages> {
    /// An action of the connection.
    package enum Action: Equatable {
        case write(ByteBuffer)
        case close
    }

    @usableFromInline
    enum State {
        /// Messages are accepted.
        case open
        /// Nothing more is accepted; the connection is closed once the socket has accepted everything.
        case draining
        case closed
    }

    @usableFromInline var state = State.open
    /// A Boolean value indicating whether the socket is full, and the rest of a message waits for it.
    @usableFromInline var isBlocked = false
    /// The messages that wait.
    package var waiting: Waiting

    /// Creates an open queue.
    @inlinable
    package init(_ waiting: Waiting) {
        self.waiting = waiting
    }

    /// A Boolean value indicating whether nothing is sent any more.
    @inlinable package var isClosed: Bool { state == .closed }
    /// A Boolean value indicating whether the socket has accepted everything.
    @inlinable package var isFlushed: Bool { !isBlocked && waiting.isEmpty }

    /// Sends a message at once if the socket is free. Drops it if nothing more is accepted.
    ///
    /// - Parameter wait: Adds the message to those that wait; returns `false` if they are too many, which closes the
    ///   connection.
    @inlinable
    package mutating func send(_ message: ByteBuffer, orWait wait: (inout Waiting) -> Bool) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(message) }
        return wait(&waiting) ? nil : .close
    }

    /// The socket did not accept all of a message; the rest follows by itself.
    @inlinable
    package mutating func didBlock() { isBlocked = true }

    /// The rest was sent. ``next()`` says what is to be done.
    @inlinable
    package mutating func didUnblock() { isBlocked = false }

    /// Returns what is to be done while the socket is free: the next message is written, or a drained connection
    /// closed.
    @inlinable
    package mutating func next() -> Action? {
        guard !isBlocked, !isClosed else { return nil }
        if let message = waiting.removeFirst() { return .write(message) }
        return state == .draining ? .close : nil
    }

    /// Accepts no more messages; the connection is closed once the socket has accepted those that wait.
    @inlinable
    package mutating func drain() -> Action? {
        guard !isClosed else { return nil }
        state = .draining
        return isFlushed ? .close : nil
    }

    /// Drops all messages.
    @inlinable
    package mutating func close() {
        state = .closed
        waiting.dropAll()
    }
}
