import LocationModel
import NIOCore
import NIOEmbedded
import Testing

@testable import LocationCore

/// The time for erasing records, by the event loop's clock and the sleep of the machine.
@Suite struct RetentionTimeTests {
    /// The machine's clock, whose time and synchronization the test decides.
    private final class Clock: ClockSynchronization {
        /// The days since the first look.
        var days: Int64
        var isSynchronized = false

        init(days: Int64) { self.days = days }

        var time: Timestamp { RetentionTimeTests.time(days: days) }
    }

    private let loop = EmbeddedEventLoop()

    private static func time(days: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: 1_800_000_000_000 + days * 86_400_000)
    }

    private func retention(reached days: Int64?, _ clock: Clock) -> RetentionTime {
        let retention = RetentionTime(reached: days.map(Self.time), on: loop) { clock.time }
        retention.synchronization = clock
        return retention
    }

    @Test func withoutAStoredTimeThePresentClockIsBelieved() {
        let clock = Clock(days: 365)
        let retention = retention(reached: nil, clock)
        #expect(retention.now == Self.time(days: 365))
        #expect(retention.reached == Self.time(days: 365))
    }

    @Test func aWrongClockIsBelievedOnceItIsSynchronized() {
        let clock = Clock(days: 365)
        let retention = retention(reached: 0, clock)
        #expect(retention.now == Self.time(days: 0))
        clock.isSynchronized = true
        #expect(retention.now == Self.time(days: 365))
        #expect(retention.reached == Self.time(days: 365))
    }

    /// A daemon that does not know about synchronization believes no clock that is in doubt.
    @Test func withoutAnAnswerAWrongClockIsNotBelieved() {
        let clock = Clock(days: 365)
        let retention = RetentionTime(reached: Self.time(days: 0), on: loop) { clock.time }
        #expect(retention.now == Self.time(days: 0))
    }

    /// The loop's clock stands still while the machine sleeps. The clock is wrong from the start.
    @Test func theTimeThatTheDaemonRunsAndTheMachineSleepsHasPassed() {
        let clock = Clock(days: 365)
        let retention = retention(reached: 0, clock)
        loop.advanceTime(by: .hours(24))
        #expect(retention.now == Self.time(days: 1))
        retention.add(sleep: .hours(7 * 24))
        #expect(retention.now == Self.time(days: 8))
        #expect(retention.now == Self.time(days: 8), "counted once")
        loop.advanceTime(by: .hours(23 * 24))
        #expect(retention.now == Self.time(days: 31))
        #expect(retention.reached == Self.time(days: 31))
    }

    /// A clock that is set right goes on where the true time is.
    @Test func aClockThatIsSetRightIsBelieved() {
        let clock = Clock(days: 365)
        let retention = retention(reached: 0, clock)
        #expect(retention.now == Self.time(days: 0))
        clock.days = 1
        #expect(retention.now == Self.time(days: 1))
    }
}
