/// The growing delay between attempts.
struct RetryDelay {
    /// The delay after the first failure, in seconds.
    private static let first: Int64 = 1
    /// The greatest delay, in seconds.
    private static let greatest: Int64 = 60

    private var last: Int64?

    /// Returns the seconds to wait after one more failure.
    mutating func next() -> Int64 {
        let seconds = min(last.map { $0 * 2 } ?? Self.first, Self.greatest)
        last = seconds
        return seconds
    }

    /// Handles a success: the next delay is the first one again.
    mutating func reset() { last = nil }
}
