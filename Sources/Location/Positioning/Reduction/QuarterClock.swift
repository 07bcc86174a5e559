public import LocationModel

/// The clock of reduced accuracy. It begins a quarter of an hour at each tick of the machine's clock.
///
/// Attack: the machine's clock is set at the first fix, for instance if it has no battery and chronyd gets the time
/// from the receiver. If that began a quarter, the answer to its search would reveal the second when the sky opened. So
/// a quarter begins only at its tick, and at least ``shortestSeconds`` after the previous one, by a steady clock. If
/// the clock is set during a quarter, that quarter is skipped and the previous one continues.
public struct QuarterClock: Sendable {
    /// The shortest time from the beginning of one quarter to the beginning of the next, in seconds of the steady
    /// clock.
    ///
    /// A clock that is adjusted gradually passes 900 s in less time: chronyd makes it faster by at most 1/12
    /// (chrony.conf(5), maxslewrate), so in 831 s.
    public static let shortestSeconds = 825.0

    /// The tick that began the current quarter, by the clock of that time.
    public private(set) var tick: Timestamp
    /// The time when the quarter began, in seconds of the steady clock.
    private var began: Double

    /// Creates the clock in the middle of the quarter that contains `now`.
    ///
    /// - Parameter steady: The seconds of a clock that is never set, and that keeps running while the machine sleeps.
    public init(at now: Timestamp, steady: Double) {
        tick = AccuracyReducer.tick(atOrBefore: now)
        began = steady - now.seconds(since: tick)
    }

    /// Begins the quarter that contains `now`, unless its tick was not reached or came too soon.
    public mutating func advance(to now: Timestamp, steady: Double) {
        let tick = AccuracyReducer.tick(atOrBefore: now)
        let reached = steady - now.seconds(since: tick)
        guard tick != self.tick, reached - began >= Self.shortestSeconds else { return }
        self.tick = tick
        began = reached
    }

    /// Returns the seconds until the next quarter begins, unless the clock is set before then.
    ///
    /// A clock that was set back reaches the tick of the current quarter again, which does not begin another quarter.
    public func secondsUntilNext(after now: Timestamp, steady: Double) -> Double {
        var wait = AccuracyReducer.nextTick(after: now).seconds(since: now)
        let waitForTick = tick.seconds(since: now)
        while steady + wait - began < Self.shortestSeconds || wait == waitForTick {
            wait += Double(AccuracyReducer.tickSeconds)
        }
        return wait
    }
}
