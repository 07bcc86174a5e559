/// A pulse of a receiver, at the beginning of a second of true time, as recorded by the kernel (RFC 2783).
public struct Pulse: Sendable, Equatable {
    /// The number of the pulse. It grows by one with each pulse and wraps around.
    public var sequence: UInt32
    /// The time by the wall clock, in nanoseconds since 1970.
    public var wallClock: Int64

    /// Creates a pulse.
    public init(sequence: UInt32, wallClock: Int64) {
        self.sequence = sequence
        self.wallClock = wallClock
    }
}

/// Takes samples of the wall clock from a receiver's pulses, and uses the pulses to measure the delay of its epochs.
///
/// A pulse marks exactly when a second begins, but not which second. The epoch that arrives after it says which.
public struct PulseSampler: Sendable {
    /// The number of pulses that the delay needs.
    static let leastCount = 8
    private static let second: Int64 = 1_000_000_000
    /// The greatest difference between the stated delay and the delay measured by the pulse, in nanoseconds. Beyond it,
    /// the pulse's second is in doubt.
    static let greatestDoubt: Int64 = 250_000_000

    private var lastSequence: UInt32?
    private var delays = RecentValues()

    /// Creates a sampler that has seen no pulse.
    public init() {}

    /// The measured time from the stated moment of an epoch to the arrival of its first byte, in seconds: the median of
    /// the last 32 measurements, or `nil` with fewer than 8.
    public var delay: Double? {
        delays.count < Self.leastCount ? nil : delays.median.map { Double($0) / 1e9 }
    }

    /// The variation of the delay in seconds (68 %), or `nil` as for ``delay``.
    public var spread: Double? {
        delays.count < Self.leastCount ? nil : delays.spread.map { Double($0) / 1e9 }
    }

    /// Returns the sample of a pulse, or `nil` if the pulse is old or its second is not certain.
    ///
    /// - Parameters:
    ///   - pulse: The last pulse before `arrival`.
    ///   - arrival: An epoch that has given a sample, so that its time is right.
    ///   - delay: The stated time from the epoch's moment to the arrival of its first byte, in seconds. `nil` if it was
    ///     not stated; it then counts as less than a second.
    public mutating func sample(_ pulse: Pulse, before arrival: EpochArrival, delay: Double?) -> TimeSample? {
        guard pulse.sequence != lastSequence else { return nil }
        lastSequence = pulse.sequence
        let latency = arrival.clocks.wall - pulse.wallClock
        // The pulse marks whole seconds: an epoch between them says nothing about it.
        guard (0..<Self.second).contains(latency), arrival.statedTime % Self.second == 0 else { return nil }
        var trueTime = arrival.statedTime
        if let delay {
            let expected = arrival.statedTime + Int64(delay * 1e9) - latency
            trueTime = (expected + Self.second / 2) / Self.second * Self.second
            guard abs(expected - trueTime) <= Self.greatestDoubt else { return nil }
        }
        delays.add(trueTime + latency - arrival.statedTime)
        return TimeSample(wallClock: pulse.wallClock, trueTime: trueTime)
    }
}
