internal import LocationModel

/// The time for erasing old records, which follows the machine's clock while that is believed.
///
/// Accident, or attack: a start with a dead clock battery, or a receiver that does not know its week, sets the clock a
/// year ahead, and the record of who looked is erased. So a clock more than a day ahead of the time that has certainly
/// been reached is believed only if it is synchronized. Rows written under a wrong clock do not make it believed: the
/// reached time is stored, and not taken from the newest row.
struct RetentionClock: Equatable {
    /// The maximum lead of a believed clock over the reached time, in milliseconds.
    static let believedLead: Int64 = 86_400_000

    /// The time that has certainly been reached, unless a believed clock was wrong.
    private(set) var reached: Timestamp
    /// The last reading of the steady clock, in milliseconds.
    private var steady: Int64

    /// Creates a clock that has reached a time.
    ///
    /// - Parameter steady: The reading of a clock that is never set, in milliseconds.
    init(reached: Timestamp, steady: Int64) {
        self.reached = reached
        self.steady = steady
    }

    /// Returns the present time, for the age of records.
    ///
    /// - Parameters:
    ///   - now: The time by the machine's clock.
    ///   - steady: The reading of the steady clock, in milliseconds. Its progress is always believed.
    ///   - isSynchronized: Returns whether the machine's clock is synchronized. Called only if that decides.
    mutating func advance(to now: Timestamp, steady: Int64, isSynchronized: () -> Bool) -> Timestamp {
        let (passed, overflow) = steady.subtractingReportingOverflow(self.steady)
        self.steady = steady
        if passed > 0, !overflow { reached = reached.adding(milliseconds: passed) }
        if now <= reached.adding(milliseconds: Self.believedLead) || isSynchronized() { reached = max(reached, now) }
        return min(now, reached)
    }
}

extension Timestamp {
    /// Returns the moment that is later by `milliseconds`, or the nearest one that can be represented: the stored time
    /// may be damaged.
    func adding(milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
        return Timestamp(millisecondsSince1970: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }
}
