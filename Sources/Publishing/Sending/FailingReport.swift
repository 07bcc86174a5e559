/// The report at which an HTTP server fails time after time: it would hold back all that follow it.
///
/// A server that is out of order fails at every report. So one that follows is sent first, and the report is at fault if
/// the server takes that one and then, on the same connection, fails at this one again.
struct FailingReport: Sendable {
    /// The number of failures from which on the report is in doubt. The delays between them make five minutes.
    static let patience = 10

    /// The number of the report, or `nil` if the last message was accepted or had several.
    private(set) var number: Int64?
    /// The maximum number of reports in the first message of the next connection, or `nil` for the usual one: of
    /// several, one may be at fault.
    private(set) var batch: Int?
    private var failures = 0
    private var othersAreAccepted = false

    /// Returns whether another report is to be sent before this one.
    func yields(_ number: Int64) -> Bool {
        number == self.number && failures >= Self.patience && !othersAreAccepted
    }

    /// Notes that the server has a message.
    mutating func acknowledged(_ number: Int64) {
        batch = nil
        if number == self.number { self = FailingReport() } else { othersAreAccepted = self.number != nil }
    }

    /// Notes that the server has failed at a message of `count` reports, of which this is the first. Returns whether the
    /// report is at fault.
    mutating func failed(at number: Int64, count: Int) -> Bool {
        if count == 1, number == self.number {
            failures += 1
            guard othersAreAccepted else { return false }
            self = FailingReport()
            return true
        }
        // Where another fails as well, the fault is the server's.
        self = FailingReport()
        (self.number, failures, batch) = (count == 1 ? number : nil, 1, max(1, count / 2))
        return false
    }

    /// Notes that the connection has ended: by the next one, the server may be out of order.
    mutating func disconnected() { othersAreAccepted = false }
}
