/// A report that makes an HTTP server fail each time, and would hold back all later reports.
///
/// A server that is out of order fails at every report. So the next report is sent first. If the server accepts it and
/// then fails again on the same connection, the held-back report is the cause.
struct FailingReport: Sendable {
    /// The number of failures after which the next report is sent first. Their delays add up to five minutes.
    static let maximumFailures = 10

    /// The number of the report, or `nil` if the last message was accepted or had several reports.
    private(set) var number: Int64?
    /// The maximum number of reports in the first message of the next connection, or `nil` for the usual number. A
    /// smaller message narrows the cause down.
    private(set) var batch: Int?
    private var failures = 0
    private var othersAreAccepted = false

    /// Returns whether another report is to be sent before this one.
    func yields(_ number: Int64) -> Bool {
        number == self.number && failures >= Self.maximumFailures && !othersAreAccepted
    }

    /// Records that the server has accepted a message.
    mutating func acknowledged(_ number: Int64) {
        batch = nil
        if number == self.number { self = FailingReport() } else { othersAreAccepted = self.number != nil }
    }

    /// Records that the server has failed at a message of `count` reports, beginning with this one. Returns whether the
    /// report is the cause.
    mutating func failed(at number: Int64, count: Int) -> Bool {
        if count == 1, number == self.number {
            failures += 1
            guard othersAreAccepted else { return false }
            self = FailingReport()
            return true
        }
        // If another report fails as well, the server is the cause.
        self = FailingReport()
        (self.number, failures, batch) = (count == 1 ? number : nil, 1, max(1, count / 2))
        return false
    }

    /// Records the end of the connection: by the next one, the server may be out of order.
    mutating func disconnected() { othersAreAccepted = false }
}
