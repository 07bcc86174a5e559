/// The successive epochs that went back in time.
///
/// They are dropped until several in a row follow each other. The earlier time was wrong then, or the receiver has
/// restarted. Readers of NMEA and of gpsd share this rule.
public struct BackwardEpochs: Sendable {
    /// The number of epochs that are dropped.
    public static let limit = 3

    private var count = 0
    private var last: Int64 = 0

    /// Creates a counter without epochs.
    public init() {}

    /// Handles an epoch that goes back. Returns whether it counts nevertheless.
    ///
    /// - Parameter isAfter: Returns whether the first time is after the second.
    public mutating func accepts(_ time: Int64, isAfter: (Int64, Int64) -> Bool) -> Bool {
        count = count > 0 && isAfter(time, last) ? count + 1 : 1
        last = time
        return count > Self.limit
    }

    /// Records that an epoch has counted.
    public mutating func reset() { count = 0 }
}
