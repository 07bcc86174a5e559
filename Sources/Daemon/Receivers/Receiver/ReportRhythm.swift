import NIOCore

/// The time between the reports of a receiver, learned from its data.
///
/// Some receivers report once a second, some every 30 s. Each counts as lost only after a silence that is long for it.
struct ReportRhythm {
    /// The silence between two reports.
    static let pause = TimeAmount.milliseconds(500)
    /// The longest interval that is learned. Longer silence is an interruption.
    static let longest = TimeAmount.seconds(60)
    /// The limit of silence after a receiver's first report, before its interval is known. It allows for an interval of
    /// 30 s.
    static let firstLimit = TimeAmount.seconds(35)

    /// The start of the last report, and its end so far; `nil` after an interruption.
    private var report: (start: NIODeadline, end: NIODeadline)?
    /// The last intervals in nanoseconds, latest first, and 0 for missing ones.
    private var intervals: (Int64, Int64, Int64) = (0, 0, 0)

    /// Records the arrival of valid data.
    mutating func heard(at now: NIODeadline) {
        guard let (start, end) = report else {
            report = (now, now)
            return
        }
        report = (start, now)
        if now - end < Self.pause {
            // The reports have no pause between them.
            if now - start > .nanoseconds(longestInterval) { intervals = (0, 0, 0) }
            return
        }
        report = (now, now)
        let interval = now - start
        guard interval <= Self.longest else { return }
        intervals = (interval.nanoseconds, intervals.0, intervals.1)
    }

    /// Records that the receiver was closed. The next data says nothing about the time since the last report.
    mutating func interrupt() { report = nil }

    private var longestInterval: Int64 { max(intervals.0, intervals.1, intervals.2) }

    /// The time between two reports, or `nil` if it is not known or under 2 s.
    var interval: TimeAmount? { longestInterval >= 2_000_000_000 ? .nanoseconds(longestInterval) : nil }

    /// The length of silence within which the next report may still come: two and a half intervals.
    var limit: TimeAmount {
        if longestInterval > 0 { return .nanoseconds(longestInterval / 2 * 5) }
        guard let report, report.end - report.start < 3 * Self.pause else { return .zero }
        return Self.firstLimit
    }
}
