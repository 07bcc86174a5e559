import LocationModel
import Testing

@testable import LocationCore

/// The time for erasing records, while the machine's clock is wrong.
@Suite struct RetentionClockTests {
    private static let day: Int64 = 86_400_000

    private static func time(_ milliseconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: 1_800_000_000_000 + milliseconds)
    }

    private func clock() -> RetentionClock { RetentionClock(reached: Self.time(0), steady: 1000) }

    @Test(
        arguments: [
            (3_600_000, false, true), (day, false, true), (day + 1, false, false), (365 * day, false, false),
            (day + 1, true, true), (365 * day, true, true), (.max - 1_800_000_000_000, false, false),
        ] as [(Int64, Bool, Bool)])
    func aClockThatIsAheadCountsIfItIsBelieved(ahead: Int64, isSynchronized: Bool, isBelieved: Bool) {
        var clock = clock()
        let now = clock.advance(to: Self.time(ahead), steady: 1000) { isSynchronized }
        #expect(now == Self.time(isBelieved ? ahead : 0))
    }

    /// The question goes over the bus, and is not asked for each record that is written.
    @Test func synchronizationIsAskedAboutOnlyInDoubt() {
        var clock = clock()
        for ahead in [-365 * Self.day, 0, Self.day] {
            _ = clock.advance(to: Self.time(ahead), steady: 1000) {
                Issue.record("asked")
                return false
            }
        }
    }

    @Test func aClockThatIsBehindForgetsLessAndNothingIsLost() {
        var clock = clock()
        #expect(clock.advance(to: Self.time(-9 * Self.day), steady: 1000) { false } == Self.time(-9 * Self.day))
        #expect(clock.reached == Self.time(0))
    }

    /// The clock is set right again, and the record goes on as before.
    @Test func aClockThatIsSetRightCountsAgain() {
        var clock = clock()
        _ = clock.advance(to: Self.time(365 * Self.day), steady: 1000) { false }
        #expect(clock.advance(to: Self.time(5000), steady: 6000) { false } == Self.time(5000))
    }

    /// Records written under the wrong clock do not make it right, however often it is looked at.
    @Test func aWrongClockDoesNotBecomeRightByBeingLookedAt() {
        var clock = clock()
        for second in 1...100 as ClosedRange<Int64> {
            let now = clock.advance(to: Self.time(365 * Self.day + second * 1000), steady: 1000 + second * 1000) {
                false
            }
            #expect(now == Self.time(second * 1000))
        }
    }

    /// Nothing synchronizes the clock, and the daemon is started once a day: each step is believed.
    @Test func aClockThatGoesOnByADayIsBelieved() {
        var clock = clock()
        for day in 1...31 as ClosedRange<Int64> {
            let time = Self.time(day * Self.day)
            #expect(clock.advance(to: time, steady: 1000) { false } == time)
        }
    }

    /// Accident: the stored time is damaged. It neither ends the daemon nor erases anything ahead of the clock.
    @Test(arguments: [.min, 0, .max] as [Int64])
    func noStoredTimeOverflows(reached: Int64) {
        var clock = RetentionClock(reached: Timestamp(millisecondsSince1970: reached), steady: 1000)
        for (now, steady) in [(.min, .max), (.max, .min), (0, .max), (.max, .max)] as [(Int64, Int64)] {
            let now = Timestamp(millisecondsSince1970: now)
            #expect(clock.advance(to: now, steady: steady) { false } <= now)
        }
    }

    @Test func aClockThatIsFurtherAheadThanCanBeCountedIsNotBelieved() {
        var clock = RetentionClock(reached: Timestamp(millisecondsSince1970: .min), steady: 1000)
        let now = clock.advance(to: Self.time(0), steady: 1001) { false }
        #expect(now == Timestamp(millisecondsSince1970: .min + 1))
    }

    /// The time that the daemon has run has passed, whatever the clock says.
    @Test func theTimeThatPassesIsBelieved() {
        var clock = clock()
        let now = clock.advance(to: Self.time(365 * Self.day), steady: 1000 + 31 * Self.day) { false }
        #expect(now == Self.time(31 * Self.day))
        // A steady clock that starts again is one of another start of the machine.
        #expect(clock.advance(to: Self.time(365 * Self.day), steady: 0) { false } == Self.time(31 * Self.day))
    }
}
