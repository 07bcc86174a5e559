internal import EventLoopSupport

/// The number of bytes that may be received from a sender.
///
/// Attack: a sender floods. Each byte costs the daemon work, and a queue of bytes delays what is up to date.
struct ByteBudget {
    /// The bytes a second: more than the fastest serial port of a receiver has, 92,160.
    static let bytesPerSecond = 131_072.0
    /// The bytes that may come at once after a pause.
    static let burst = 262_144.0
    /// The bytes that a read of fewer costs where they are dropped.
    static let leastRead = 1024

    private var budget = RateBudget(perSecond: Self.bytesPerSecond, burst: Self.burst)

    /// Spends `count` bytes that have arrived. Returns the seconds to wait before more is received.
    mutating func spend(_ count: Int, at now: Double) -> Double { budget.spend(Double(count), at: now) }

    /// Spends `count` bytes if the budget suffices. Returns whether it does.
    mutating func admits(_ count: Int, at now: Double) -> Bool { budget.admits(Double(count), at: now) }
}
