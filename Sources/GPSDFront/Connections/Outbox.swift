internal import NIOCore

/// What waits until a client reads.
///
/// Replies wait in their order, up to ``maximumReplyBytes``. Of the reports on a subject only the newest waits. A state
/// machine without I/O: it is notified of the socket's events and returns what to do.
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
    /// A Boolean value indicating whether the socket is full, and the rest of what was written last waits for it.
    private var isBlocked = false
    private var replies: ByteBuffer?
    private var reports = WaitingReports()

    /// The number of locations that waited and were not sent.
    var unsentLocations: Int { reports.unsentLocations }
    /// A Boolean value indicating whether nothing is sent any more.
    var isClosed: Bool { state == .closed }
    /// A Boolean value indicating whether the socket has accepted everything.
    var isFlushed: Bool { !isBlocked && replies == nil && reports.isEmpty }

    /// Sends a reply.
    mutating func send(reply: ByteBuffer) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(reply) }
        guard (replies?.readableBytes ?? 0) + reply.readableBytes <= Self.maximumReplyBytes else { return .close }
        replies.setOrWriteImmutableBuffer(reply)
        return nil
    }

    /// Sends a report.
    mutating func send(report: Report) -> Action? {
        guard state == .open else { return nil }
        if isFlushed { return .write(report.bytes) }
        reports.add(report)
        return nil
    }

    /// Drops the reports that wait and for which the client needs a grant.
    mutating func dropReports() { reports.dropGranted() }

    /// The socket did not accept everything; the rest follows by itself.
    mutating func didBlock() { isBlocked = true }

    /// The rest was sent. ``next()`` says what is to be done.
    mutating func didUnblock() { isBlocked = false }

    /// Returns what is to be done next while the socket is free: replies first, then the reports.
    mutating func next() -> Action? {
        guard !isBlocked, !isClosed else { return nil }
        if let reply = replies {
            replies = nil
            return .write(reply)
        }
        if let report = reports.removeFirst() { return .write(report.bytes) }
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
        reports.dropAll()
    }
}
