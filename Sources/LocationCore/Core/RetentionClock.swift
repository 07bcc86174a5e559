internal import LocationModel

/// The time by which old records are erased, which is never ahead of the true time by more than a day's error of the
/// machine's clock.
///
/// Accident, or attack: a start with a dead battery behind the clock, or a receiver that does not know its week, sets the
/// clock a year ahead, and the record of who looked is erased for good. So a clock that is more than a day ahead of the
/// time that has certainly been reached counts only if it is synchronized. Rows that were written under the wrong clock
/// do not make it right: what has been reached is kept by itself.
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

    /// Returns the time by which records are old.
    ///
    /// - Parameters:
    ///   - now: The time by the machine's clock.
    ///   - steady: The reading of the steady clock, in milliseconds. The time that it shows to have passed has passed.
    ///   - isSynchronized: Returns whether the machine's clock is synchronized. Asked only if that decides.
    mutating func advance(to now: Timestamp, steady: Int64, isSynchronized: () -> Bool) -> Timestamp {
        let passed = max(0, steady - self.steady)
        self.steady = steady
        reached = Timestamp(millisecondsSince1970: reached.millisecondsSince1970 + passed)
        let lead = now.millisecondsSince1970.subtractingReportingOverflow(reached.millisecondsSince1970)
        if lead.overflow || lead.partialValue <= Self.believedLead || isSynchronized() { reached = max(reached, now) }
        return min(now, reached)
    }
}
