/// How long to wait between two attempts to connect: twice as long each time, up to a bound.
package struct Backoff: Sendable, Equatable {
    /// Seconds before the first attempt.
    package let first: Double
    /// Seconds.
    package let greatest: Double
    private var following: Double

    /// Waits of `first` to `greatest` seconds.
    package init(first: Double = 0.1, greatest: Double = 5) {
        self.first = first
        self.greatest = greatest
        following = first
    }

    /// Seconds to wait before the next attempt.
    package mutating func next() -> Double {
        defer { following = min(2 * following, greatest) }
        return following
    }

    /// The connection works: the next wait is the shortest again.
    package mutating func reset() {
        following = first
    }
}
