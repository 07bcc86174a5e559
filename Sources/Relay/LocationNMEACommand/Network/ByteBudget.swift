internal import EventLoopSupport

/// The number of bytes that may be received from a sender.
///
/// Attack: a sender floods. Each byte costs the daemon work, and queued bytes delay current ones.
struct ByteBudget {
    /// The bytes per second: more than a receiver's fastest serial port carries, 92,160.
    static let bytesPerSecond = 131_072.0
    /// The bytes that may arrive at once after a pause.
    static let burst = 262_144.0
    /// The least number of bytes that a read is charged for where the bytes are dropped.
    static let leastRead = 1024

    private var budget = RateBudget(perSecond: Self.bytesPerSecond, burst: Self.burst)

    /// Spends `count` received bytes. Returns the seconds to wait before receiving more.
    mutating func spend(_ count: Int, at now: Double) -> Double { budget.spend(Double(count), at: now) }

    /// Spends `count` bytes if the budget suffices. Returns whether it does.
    mutating func admits(_ count: Int, at now: Double) -> Bool { budget.admits(Double(count), at: now) }
}
