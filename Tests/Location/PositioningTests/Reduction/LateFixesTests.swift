import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// Fixes that waited before they were read, distinguished from present ones.
@Suite struct LateFixesTests {
    /// A machine that reads a receiver.
    private struct Machine {
        var fixes = LateFixes()
        /// The seconds that the machine's clock and the receiver's time are ahead of the true time.
        var clockError = 0.0
        var receiverError = 0.0

        /// Returns whether the fix of `moment`, read at `now`, is late. Both are true times in seconds.
        mutating func isLate(_ moment: Double, readAt now: Double) -> Bool {
            fixes.isLate(
                ReductionTrial.moment(moment + receiverError), at: 1000 + now,
                clock: ReductionTrial.moment(now + clockError))
        }
    }

    /// Returns a machine that has read fixes for some seconds up to `end`.
    private func running(clockError: Double = 0, receiverError: Double = 0, until end: Int = 100) -> Machine {
        var machine = Machine(clockError: clockError, receiverError: receiverError)
        for second in (end - 10)...end { _ = machine.isLate(Double(second), readAt: Double(second) + 0.25) }
        return machine
    }

    @Test func theFirstFixIsOnTimeIfTheClockIsRight() {
        for delay in [0, 0.3, 1, 1.9] as [Double] {
            var machine = Machine()
            let isLate = machine.isLate(0, readAt: delay)
            #expect(!isLate)
        }
        var machine = Machine()
        let isLate = machine.isLate(0, readAt: 30)
        #expect(isLate)
    }

    /// Attack: epochs that waited in the port, from before the device went into a garage, are taken for its place now.
    /// The clock and the date of the receiver may be anything.
    @Test(arguments: [0, 60, 1e9, -1e9] as [Double], [0, -1024 * 604_800] as [Double])
    func epochsThatWaitedAreLate(clockError: Double, receiverError: Double) {
        for period in [1, 0.1] as [Double] {
            var machine = running(clockError: clockError, receiverError: receiverError)
            // 300 s are read at once, then the receiver continues.
            var late = 0
            for index in 1...Int(290 / period) {
                if machine.isLate(100 + Double(index) * period, readAt: 400 + Double(index) * 0.0001) { late += 1 }
            }
            #expect(late == Int(290 / period))
            let isLate = machine.isLate(400.3, readAt: 400.5)
            #expect(!isLate)
        }
    }

    /// Attack: the port is closed between two fixes, and epochs wait in it each time.
    @Test func epochsThatWaitAgainAndAgainAreLate() {
        var machine = running()
        for opening in 2..<10 as Range<Int> {
            for index in 0..<10 {
                let isLate = machine.isLate(
                    Double(opening * 60 + index - 58), readAt: Double(opening * 60) + Double(index) * 0.001)
                #expect(isLate)
            }
        }
    }

    /// Attack: several receivers are read late, one after the other, while no fix is on time.
    @Test func epochsThatWaitedInManyPortsAreLate() {
        var machine = running()
        for second in 150..<550 {
            for index in 0..<30 {
                let isLate = machine.isLate(Double(second - 100 + index), readAt: Double(second))
                #expect(isLate)
            }
        }
        let isLate = machine.isLate(551, readAt: 551.2)
        #expect(!isLate)
    }

    /// The week number of a receiver rolls over while it runs.
    @Test func anotherDateIsBelievedAfterTenMinutes() {
        var machine = running()
        let first = (101..<900).first { !machine.isLate(Double($0) - 1024 * 604_800, readAt: Double($0) + 0.25) }
        #expect(first == 704)
    }

    /// The clock of a machine without a battery is years off. The next fixes show that the receiver is still running.
    @Test func aWrongClockDelaysTheFirstFixByThreeSeconds() {
        var machine = Machine(clockError: -1e9)
        let late = (0..<5).map { machine.isLate(Double($0), readAt: Double($0) + 0.25) }
        #expect(late == [true, true, true, false, false])
    }

    @Test func afterALongPauseTheClockDecidesAgain() {
        var machine = running()
        let isLate = machine.isLate(40_000, readAt: 40_003)
        #expect(isLate)
        machine.clockError = -3
        let isLateByTheClock = machine.isLate(80_000, readAt: 80_003)
        #expect(!isLateByTheClock)
    }
}
