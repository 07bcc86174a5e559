/// The times between successive fixes, and the gaps among them.
struct Intervals: Sendable {
    /// A time without fixes.
    struct Gap: Sendable, Equatable {
        /// The times of the last fix before the gap and of the first fix after it, by the log's clock.
        var start: Int64
        var end: Int64
        var milliseconds: Int64 { end - start }
    }

    /// The maximum number of listed gaps.
    static let listedGaps = 20
    /// The duration in milliseconds that a gap exceeds...
    static let leastGap: Int64 = 1000
    /// ...and the multiple of the median interval that it exceeds, too.
    static let gapFactor: Int64 = 3

    private var histogram = Histogram()
    private var longest = Longest<Gap>(listedGaps)
    private var last: Int64?

    mutating func add(_ time: Int64) {
        defer { last = time }
        guard let last else { return }
        histogram.add(time - last)
        if time - last > Self.leastGap {
            longest.add(Gap(start: last, end: time), length: Double(time - last))
        }
    }

    /// The median in milliseconds, or `nil` for fewer than two fixes.
    var median: Int64? { histogram.quantile(0.5) }

    /// The bounds of the middle 90 % of the intervals, without gaps, in milliseconds.
    var spread: (low: Int64, high: Int64)? {
        guard let gapThreshold, let low = histogram.quantile(0.05, upTo: gapThreshold),
            let high = histogram.quantile(0.95, upTo: gapThreshold)
        else { return nil }
        return (low, high)
    }

    /// The longest interval that is not a gap, in milliseconds.
    var gapThreshold: Int64? {
        median.map { Histogram.upperBound(max(Self.leastGap, $0 * Self.gapFactor)) }
    }

    /// The number of gaps.
    var gapCount: UInt64 { gapThreshold.map { histogram.count(above: $0) } ?? 0 }

    /// The longest gaps, in order of time.
    var gaps: [Gap] {
        guard let gapThreshold else { return [] }
        return longest.kept.filter { $0.milliseconds > gapThreshold }
    }
}
