internal import EventLoopSupport
internal import NIOCore

/// The output that waits until a client reads: replies in their order, then the newest report on each subject.
struct WaitingOutput: WaitingMessages {
    /// The maximum total size of the waiting replies, in bytes. A reply beyond it closes the connection.
    static let maximumReplyBytes = 65_536

    private var replies: ByteBuffer?
    private var reports = WaitingReports()

    /// The number of locations that were dropped while they waited.
    var unsentLocations: Int { reports.unsentLocations }

    var isEmpty: Bool { replies == nil && reports.isEmpty }

    /// Adds a reply. Returns `false` if it does not fit.
    mutating func add(reply: ByteBuffer) -> Bool {
        guard (replies?.readableBytes ?? 0) + reply.readableBytes <= Self.maximumReplyBytes else { return false }
        replies.setOrWriteImmutableBuffer(reply)
        return true
    }

    /// Adds a report, replacing the one on the same subject.
    mutating func add(_ report: WaitingReport) { reports.add(report) }

    /// Drops the reports that require a grant.
    mutating func dropReports() { reports.dropGranted() }

    mutating func removeFirst() -> ByteBuffer? {
        if let reply = replies {
            replies = nil
            return reply
        }
        return reports.removeFirst()?.bytes
    }

    mutating func dropAll() {
        replies = nil
        reports.dropAll()
    }
}

/// The outbound half of a client's connection.
typealias Outbox = OutboundQueue<WaitingOutput>

extension Outbox {
    init() { self.init(WaitingOutput()) }

    /// Sends a reply.
    mutating func send(reply: ByteBuffer) -> Action? { send(reply) { $0.add(reply: reply) } }

    /// Sends a report.
    mutating func send(report: WaitingReport) -> Action? {
        send(report.bytes) {
            $0.add(report)
            return true
        }
    }
}
