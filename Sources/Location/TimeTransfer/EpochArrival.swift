/// The origin of the time that a receiver states for an epoch.
public enum TimeOrigin: Sendable, Equatable, CaseIterable {
    /// Satellites: time and date belong to a fix that the receiver has just computed.
    case satellites
    /// Partly other sources: the date was completed or repaired, or the receiver extrapolates without satellites.
    case inferred
    /// A person or a program: the fix is simulated or entered by hand.
    case invented
}

/// The time that a receiver states for an epoch, and the arrival of the epoch's first byte.
///
/// Times are in nanoseconds.
public struct EpochArrival: Sendable, Equatable {
    /// The stated time, in UTC since 1970 without leap seconds (POSIX).
    public var statedTime: Int64
    /// The origin of the stated time.
    public var origin: TimeOrigin
    /// The clocks at the arrival.
    public var clocks: ClockReading

    /// Creates an arrival.
    public init(statedTime: Int64, origin: TimeOrigin, clocks: ClockReading) {
        self.statedTime = statedTime
        self.origin = origin
        self.clocks = clocks
    }
}

/// Two clocks of the machine, read at the same moment. Times are in nanoseconds.
public struct ClockReading: Sendable, Equatable {
    /// The disciplined clock, since 1970 (CLOCK_REALTIME). It can be set.
    public var wall: Int64
    /// A clock that never jumps, since an arbitrary moment (CLOCK_MONOTONIC).
    public var steady: Int64

    /// Creates a reading.
    public init(wall: Int64, steady: Int64) {
        self.wall = wall
        self.steady = steady
    }

    /// Returns whether the wall clock was set between `earlier` and this reading.
    func wasSet(since earlier: ClockReading) -> Bool {
        // Slewing (adjtime(3), adjtimex(2)) moves both clocks alike.
        abs((wall &- steady) &- (earlier.wall &- earlier.steady)) > Self.reading
    }

    /// The time that may pass between reading one clock and the other, in nanoseconds.
    private static let reading: Int64 = 2_000_000
}
