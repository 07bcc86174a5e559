internal import LocationModel

/// The time for erasing old records, which follows the machine's clock while that is believed.
///
/// Accident, or attack: a start with a dead battery behind the clock, or a receiver that does not know its week, sets
/// the clock a year ahead, and the record of who looked is erased for good. So a clock that is more than a day ahead of
/// the time that has certainly been reached is believed only if it is synchronized. Rows that were written under a wrong
/// clock do not make that clock believed: the time that has been reached is stored, and not taken from the newest row.
struct RetentionClock: Equatable {
    /// The lead over the time that has been reached up to which a clock is believed, in milliseconds.
    static let believedLead: Int64 = 86_400_000

    /// The time that has certainly been reached, unless a believed clock was wrong.
    private(set) var reached: Timestamp
    /// The reading of the steady clock at the last look, in milliseconds.
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
    ///   - steady: The reading of the steady clock, in milliseconds. The time that it shows to have passed has passed.
    ///   - isSynchronized: Returns whether the machine's clock is synchronized. Asked only if that decides.
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
