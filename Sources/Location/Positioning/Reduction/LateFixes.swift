public import LocationModel

/// Distinguishes present fixes from late ones, whose epochs have waited in a port or in a connection.
///
/// A fix is on time if its time agrees with the machine's clock. If the receiver's date or the clock is wrong, the
/// receiver's time is compared with a steady clock: it is behind by a delay that hardly changes, and a late fix has
/// another delay. A receiver that continues with another delay is believed, because epochs that have waited are mostly
/// read within milliseconds; but not if its time agreed with the machine's clock recently. Times are in seconds of the
/// steady clock.
public struct LateFixes: Sendable {
    /// The greatest difference between the delays of two fixes that are both on time, in seconds.
    static let toleranceSeconds = 1.0
    /// The greatest difference between the machine's clock and a fix that is on time, in seconds, if the clock is
    /// right.
    static let clockToleranceSeconds = 2.0
    /// The time that fixes with another delay have to keep coming before they count, in seconds.
    static let trialSeconds = 3.0
    /// The longest time between two of these fixes, in seconds.
    static let longestGapSeconds = 5.0
    /// The time after which the findings are dropped, in seconds: the receiver may be another one.
    static let memorySeconds = 600.0

    /// The delay of the last fix that was on time, and the time of its arrival.
    private var usual: (delay: Double, at: Double)?
    /// The arrival of the last fix whose time agreed with the machine's clock.
    private var agreedAt: Double?
    /// The arrivals of the first and the last of the fixes with another delay.
    private var others: (first: Double, last: Double)?

    /// Creates an instance that has not seen a fix.
    public init() {}

    /// Returns whether a fix with this timestamp, which has just arrived, is late.
    ///
    /// - Parameter clock: The time by the machine's clock.
    public mutating func isLate(_ timestamp: Timestamp, at now: Double, clock: Timestamp) -> Bool {
        let delay = now - Double(timestamp.millisecondsSince1970) / 1000
        if abs(clock.seconds(since: timestamp)) <= Self.clockToleranceSeconds {
            agreedAt = now
        } else if let usual, now - usual.at <= Self.memorySeconds, abs(delay - usual.delay) <= Self.toleranceSeconds {
            // The machine's clock was set wrong, or the receiver has had another date all along.
        } else if isOther(at: now) {
            return true
        }
        usual = (delay, now)
        others = nil
        return false
    }

    /// Records a fix with another delay. Returns whether it is late, because such fixes have not kept coming for long
    /// enough.
    private mutating func isOther(at now: Double) -> Bool {
        if let agreedAt, now - agreedAt <= Self.memorySeconds { return true }
        let first = others.flatMap { now - $0.last <= Self.longestGapSeconds ? $0.first : nil } ?? now
        others = (first, now)
        return now - first < Self.trialSeconds
    }
}
