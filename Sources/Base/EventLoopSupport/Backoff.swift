/// The delay between two attempts to connect, which doubles each time up to a maximum.
package struct Backoff: Sendable, Equatable {
    /// The delay before the first attempt, in seconds.
    package let first: Double
    /// The maximum delay, in seconds.
    package let greatest: Double
    private var following: Double

    /// Creates a backoff with delays of `first` to `greatest` seconds.
    package init(first: Double = 0.1, greatest: Double = 5) {
        self.first = first
        self.greatest = greatest
        following = first
    }

    /// Returns the number of seconds to wait before the next attempt.
    package mutating func next() -> Double {
        defer { following = min(2 * following, greatest) }
        return following
    }

    /// Goes back to the shortest delay, once a connection works.
    package mutating func reset() {
        following = first
    }
}
