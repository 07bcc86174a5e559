import NIOCore

extension Connection {
    /// The outbound half of a connection: which replies wait for the socket, and when the connection is closed.
    ///
    /// A state machine without I/O: it is notified of the socket's events and returns what to do.
    struct Outbound {
        /// An action of the connection.
        enum Action {
            case write(ByteBuffer)
            case close
        }

        private enum State {
            /// Replies are accepted.
            case open
            /// Nothing more is accepted; the connection is closed once the socket has accepted everything.
            case draining
            case closed
        }

        private var state = State.open
        /// A Boolean value indicating whether the socket is full, and the rest of a reply waits for it.
        private var isBlocked = false
        /// Replies that wait for the socket; at most one of them, the pending update, is replaceable.
        private var waiting: [(frame: ByteBuffer, isReplaceable: Bool)] = []
        private var waitingBytes = 0
        /// The greatest size of all waiting replies together, in bytes; another one closes the connection.
        private let maximumWaitingBytes: Int
        /// The number of pending updates that a newer one replaced.
        private(set) var replacedUpdates = 0

        init(maximumWaitingBytes: Int) {
            self.maximumWaitingBytes = maximumWaitingBytes
        }

        /// A Boolean value indicating whether the connection is closed, or about to be.
        var isClosed: Bool { state == .closed }
        /// A Boolean value indicating whether the socket has accepted every reply.
        var isFlushed: Bool { !isBlocked && waiting.isEmpty }

        /// Sends `frame` at once if the socket is free; otherwise the frame waits. A replaceable frame replaces the
        /// pending update. Drops the frame if no more replies are accepted.
        mutating func send(_ frame: ByteBuffer, isReplaceable: Bool) -> Action? {
            guard state == .open else { return nil }
            if isFlushed { return .write(frame) }
            if isReplaceable, dropPendingUpdate() { replacedUpdates += 1 }
            guard waitingBytes + frame.readableBytes <= maximumWaitingBytes else { return .close }
            waiting.append((frame, isReplaceable))
            waitingBytes += frame.readableBytes
            return nil
        }

        /// Drops the update that waits for the socket. Returns whether there was one.
        @discardableResult
        mutating func dropPendingUpdate() -> Bool {
            guard let index = waiting.firstIndex(where: \.isReplaceable) else { return false }
            waitingBytes -= waiting.remove(at: index).frame.readableBytes
            return true
        }

        /// The socket did not accept all of a reply; the rest follows by itself.
        mutating func didBlock() {
            isBlocked = true
        }

        /// The rest was sent.
        mutating func didUnblock() {
            isBlocked = false
        }

        /// Returns what is to be done while the socket is free: the next reply is written, or a drained connection
        /// closed.
        mutating func next() -> Action? {
            guard !isBlocked, !isClosed else { return nil }
            guard waiting.isEmpty else {
                let frame = waiting.removeFirst().frame
                waitingBytes -= frame.readableBytes
                if waiting.isEmpty { waiting = [] }  // an idle connection keeps no buffer
                return .write(frame)
            }
            return state == .draining ? .close : nil
        }

        /// Accepts no more replies; the connection is closed once the socket has accepted those that wait.
        mutating func drain() -> Action? {
            guard !isClosed else { return nil }
            state = .draining
            return isFlushed ? .close : nil
        }

        /// Drops all replies.
        mutating func close() {
            state = .closed
            waiting = []
            waitingBytes = 0
        }
    }
}
