internal import NIOCore

/// What waits until a client reads.
///
/// Replies wait in their order, up to ``maximumReplyBytes``. Of reports only the newest waits: it replaces the one
/// before. A state machine without I/O: it is notified of the socket's events and returns what to do.
struct Outbox {
    /// The maximum size of all waiting replies together, in bytes; another one closes the connection.
    static let maximumReplyBytes = 65_536

    /// Something to be done with the socket.
    enum Action: Equatable {
        case write(ByteBuffer)
        case close
    }

    private enum State {
        case open
        /// Nothing more is accepted; the connection is closed once the socket has accepted everything.
        case draining
        case closed
    }

    private var state = State.open
    /// A Boolean value indicating whether the socket is full, and NIO holds the rest of what was written last.
    private var isBlocked = false
    private var replies: ByteBuffer?
    private var report: ByteBuffer?
    /// The number of reports that a newer one replaced.
    private(set) var replacedReports = 0

    /// A Boolean value indicating whether the connection is closed, or about to be.
    var isClosed: Bool { state == .closed }
    /// A Boolean value indicating whether the socket has accepted everything.
    var isFlushed: Bool { !isBlocked && replies == nil && report == nil }

    /// Sends a reply.
    mutating func send(reply: ByteBuffer) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(reply) }
        guard (replies?.readableBytes ?? 0) + reply.readableBytes <= Self.maximumReplyBytes else { return .close }
        replies.setOrWriteImmutableBuffer(reply)
        return nil
    }

    /// Sends a report.
    mutating func send(report: ByteBuffer) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(report) }
        if self.report != nil { replacedReports += 1 }
        self.report = report
        return nil
    }

    /// Drops the report that waits.
    mutating func dropReport() { report = nil }

    /// The socket did not accept everything, and NIO writes the rest.
    mutating func didBlock() { isBlocked = true }

    /// NIO has written the rest. ``next()`` says what is to be done.
    mutating func didUnblock() { isBlocked = false }

    /// Returns what is to be done next while the socket is free: replies first, then the report.
    mutating func next() -> Action? {
        guard !isBlocked, !isClosed else { return nil }
        if let reply = replies {
            replies = nil
            return .write(reply)
        }
        if let report {
            self.report = nil
            return .write(report)
        }
        return state == .draining ? .close : nil
    }

    /// Accepts nothing more; the connection is closed once the socket has accepted what waits.
    mutating func drain() -> Action? {
        guard !isClosed else { return nil }
        state = .draining
        return isFlushed ? .close : nil
    }

    /// Drops everything.
    mutating func close() {
        state = .closed
        replies = nil
        report = nil
    }
}
