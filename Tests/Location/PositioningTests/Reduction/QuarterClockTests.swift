import LocationModel
import Testing

@testable import Positioning

/// The quarters of an hour while the machine's clock goes, is set, is adjusted and sleeps.
@Suite struct QuarterClockTests {
    /// The clock of a machine: its time, and how long it has been running.
    private struct Machine {
        var shown = 0.0
        var steady = 5000.0
        var clock = QuarterClock(at: ReductionTrial.moment(0), steady: 5000)

        init(at shown: Double = 0) {
            self.shown = shown
            clock = QuarterClock(at: ReductionTrial.moment(shown), steady: steady)
        }

        /// Lets time pass second by second. Returns the beginnings of quarters, in seconds since the last tick by the
        /// steady clock.
        mutating func pass(_ seconds: Int, speed: Double = 1) -> [Double] {
            var beginnings: [Double] = []
            for _ in 0..<seconds {
                shown += speed
                steady += 1
                let before = clock.tick
                clock.advance(to: ReductionTrial.moment(shown), steady: steady)
                if clock.tick != before { beginnings.append(steady - 5000) }
            }
            return beginnings
        }

        /// The seconds until the next quarter, as announced.
        var wait: Double { clock.secondsUntilNext(after: ReductionTrial.moment(shown), steady: steady) }
    }

    @Test func aQuarterBeginsAtEachTick() {
        var machine = Machine(at: 400)
        #expect(machine.clock.tick == ReductionTrial.moment(0))
        #expect(machine.wait == 500)
        #expect(machine.pass(3200) == [500, 1400, 2300, 3200])
        #expect(machine.clock.tick == ReductionTrial.moment(3600))
        #expect(machine.wait == 900)
    }

    /// Attack: the machine's clock is set at the first fix. If that began a quarter, its search would show the second
    /// of that fix.
    @Test(arguments: [-7200, -1000, -300, 120, 301, 600, 900, 1300, 86_400, 1e9] as [Double])
    func aClockThatIsSetBeginsNoQuarter(step: Double) {
        for moment in [1, 100, 450, 899] {
            var machine = Machine(at: 0)
            #expect(machine.pass(moment).isEmpty)
            machine.shown += step
            let announced = Double(moment) + machine.wait
            let beginnings = machine.pass(4000)
            #expect(beginnings.first == announced, "set after \(moment) s")
            #expect(beginnings.allSatisfy { $0 >= QuarterClock.shortestSeconds })
            // A clock that is set back reaches the tick of the current quarter again.
            #expect(beginnings.first ?? .infinity < 2700)
            for (a, b) in zip(beginnings, beginnings.dropFirst()) { #expect(b - a == 900) }
            // It begins at a tick of the clock that was set.
            #expect(AccuracyReducer.tick(atOrBefore: ReductionTrial.moment(machine.shown)) == machine.clock.tick)
        }
    }

    /// chronyd makes a clock faster by a twelfth at most. That leaves out no quarter.
    @Test(arguments: [11.0 / 12, 1, 13.0 / 12]) func aClockThatIsAdjustedPassesEveryTick(speed: Double) {
        var machine = Machine()
        #expect(machine.pass(9000, speed: speed).count == Int(9000 * speed / 900))
    }

    @Test func theQuarterAfterASleepIsThatOfTheClock() {
        var machine = Machine(at: 100)
        machine.shown += 4000
        machine.steady += 4000
        #expect(machine.pass(1) == [4001])
        #expect(machine.clock.tick == ReductionTrial.moment(3600))
        #expect(machine.wait == 399)
    }
}
