public import LocationModel

/// The clock of reduced accuracy, which begins a quarter of an hour at each tick of the machine's clock.
///
/// Attack: the machine's clock is set at the first fix, as on a machine without a battery for its clock whose chronyd
/// gets the time from the receiver. If that began a quarter, the answer to its search would show the second when
/// the sky opened. So a quarter begins at its tick only, and never sooner than ``shortestSeconds`` after the one
/// before, by a steady clock. A quarter in whose midst the clock was set is left out: the one before goes on.
public struct QuarterClock: Sendable {
    /// The shortest time from the beginning of a quarter to the beginning of the next, in seconds of the steady clock.
    ///
    /// A clock that is adjusted slowly passes 900 s in less: chronyd makes it faster by 1/12 at most (chrony.conf(5),
    /// maxslewrate), so in 831 s.
    public static let shortestSeconds = 825.0

    /// The tick that began the current quarter, by the clock of that time.
    public private(set) var tick: Timestamp
    /// The time when it began, in seconds of the steady clock.
    private var began: Double

    /// Creates the clock in the midst of the quarter that contains `now`.
    ///
    /// - Parameter steady: The seconds of a clock that is never set, and does not stand still while the machine sleeps.
    public init(at now: Timestamp, steady: Double) {
        tick = AccuracyReducer.tick(atOrBefore: now)
        began = steady - now.seconds(since: tick)
    }

    /// Begins the quarter that contains `now`, unless its tick was not reached, or came too soon.
    public mutating func advance(to now: Timestamp, steady: Double) {
        let tick = AccuracyReducer.tick(atOrBefore: now)
        let reached = steady - now.seconds(since: tick)
        guard tick != self.tick, reached - began >= Self.shortestSeconds else { return }
        self.tick = tick
        began = reached
    }

    /// Returns the seconds until the next quarter begins, unless the clock is set before.
    ///
    /// A clock that was set back reaches the tick of the current quarter again, which begins no other one.
    public func secondsUntilNext(after now: Timestamp, steady: Double) -> Double {
        var wait = AccuracyReducer.nextTick(after: now).seconds(since: now)
        let waitForTick = tick.seconds(since: now)
        while steady + wait - began < Self.shortestSeconds || wait == waitForTick {
            wait += Double(AccuracyReducer.tickSeconds)
        }
        return wait
    }
}
