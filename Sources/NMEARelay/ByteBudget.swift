/// The number of bytes that may be received: a rate, and a burst beyond it.
///
/// Attack: a sender floods. Each byte costs the daemon work, and a queue of bytes delays what is up to date.
package struct ByteBudget {
    /// The bytes a second: more than the fastest serial port of a receiver has, 92,160.
    package static let bytesPerSecond = 131_072.0
    /// The bytes that may come at once after a pause.
    package static let burst = 262_144.0

    /// The bytes that a read of fewer costs where they are dropped.
    package static let leastRead = 1024

    private var left = Self.burst
    private var last: Double?

    /// Creates a budget of which nothing is spent.
    package init() {}

    /// Spends `count` bytes that have arrived.
    ///
    /// - Parameter now: The time in seconds, by a clock that nobody sets.
    /// - Returns: The seconds to wait before more is received; 0 if the budget suffices.
    package mutating func spend(_ count: Int, at now: Double) -> Double {
        refill(at: now)
        left -= Double(count)
        return left >= 0 ? 0 : -left / Self.bytesPerSecond
    }

    /// Spends `count` bytes if the budget suffices. Returns whether it does.
    package mutating func admits(_ count: Int, at now: Double) -> Bool {
        refill(at: now)
        guard left >= Double(count) else { return false }
        left -= Double(count)
        return true
    }

    private mutating func refill(at now: Double) {
        if let last { left = min(Self.burst, left + max(0, now - last) * Self.bytesPerSecond) }
        last = now
    }
}
