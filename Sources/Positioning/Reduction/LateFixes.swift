public import LocationModel

/// Distinguishes the fixes of the present from late ones: from epochs that waited in a port or in a connection.
///
/// The receiver's time is compared with a steady clock. It is behind by a delay that hardly changes, whatever the
/// receiver's date and the machine's clock are worth. A late fix has another delay. A receiver that goes on with another
/// delay is believed: epochs that have waited are read within milliseconds. Times are in seconds of the steady clock.
public struct LateFixes: Sendable {
    /// The greatest difference between the delays of two fixes that are both on time, in seconds.
    static let toleranceSeconds = 1.0
    /// The greatest difference between the machine's clock and the first fix, in seconds, if the clock is right.
    static let clockToleranceSeconds = 2.0
    /// The time for which fixes with another delay have to come before they count, in seconds.
    static let trialSeconds = 3.0
    /// The longest time between two of these fixes, in seconds.
    static let longestGapSeconds = 5.0
    /// The time without a fix after which the delay is found out again, in seconds: the receiver may be another one.
    static let memorySeconds = 600.0

    /// The delay of the last fix that was on time, and the time of its arrival.
    private var usual: (delay: Double, at: Double)?
    /// The arrivals of the first and the last of the fixes with another delay.
    private var others: (first: Double, last: Double)?

    /// Creates an instance that has not seen a fix.
    public init() {}

    /// Returns whether a fix with that timestamp, which has just arrived, is late.
    ///
    /// - Parameter clock: The time by the machine's clock, which decides about the first fix: others have to follow if the
    ///   two differ.
    public mutating func isLate(_ timestamp: Timestamp, at now: Double, clock: @autoclosure () -> Timestamp) -> Bool {
        let delay = now - Double(timestamp.millisecondsSince1970) / 1000
        let isOnTime =
            if let usual, now - usual.at <= Self.memorySeconds {
                abs(delay - usual.delay) <= Self.toleranceSeconds
            } else {
                abs(clock().seconds(since: timestamp)) <= Self.clockToleranceSeconds
            }
        if !isOnTime {
            let first = others.flatMap { now - $0.last <= Self.longestGapSeconds ? $0.first : nil } ?? now
            others = (first, now)
            if now - first < Self.trialSeconds { return true }
        }
        usual = (delay, now)
        others = nil
        return false
    }
}
