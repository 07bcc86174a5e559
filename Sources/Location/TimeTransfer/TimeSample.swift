/// A measurement of the wall clock against true time.
public struct TimeSample: Sendable, Equatable {
    /// The time by the wall clock, in nanoseconds since 1970.
    public var wallClock: Int64
    /// The true time minus the time by the wall clock, in seconds. It is positive if the wall clock is behind.
    public var offset: Double

    init(wallClock: Int64, trueTime: Int64) {
        self.wallClock = wallClock
        offset = Double(trueTime - wallClock) / 1e9
    }
}

/// The reason why an epoch does not give a sample.
public enum SampleRefusal: Error, Sendable, Equatable {
    /// The receiver has completed or extrapolated the time, or the date was not sent with the epoch.
    case inferred
    /// The time comes from a simulation or from a place that was entered by hand.
    case invented
    /// The stated time is a leap second, which POSIX time does not have.
    case leapSecond
    /// The stated time has stood still, gone back, or jumped against the machine's steady clock.
    case jump
    /// Too few epochs have followed each other since the start, a jump or a gap.
    case settling
    /// The wall clock was set since the previous epoch, or since this one arrived.
    case clockWasSet
    /// The times exceed any clock's range.
    case outOfRange
}
