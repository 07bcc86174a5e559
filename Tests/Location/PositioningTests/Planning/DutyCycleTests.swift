import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct DutyCycleTests {
    private func cycle(_ plan: ReceiverPlan, at now: Double = 0) -> DutyCycle {
        var cycle = DutyCycle()
        cycle.follow(plan, at: now)
        return cycle
    }

    private func every(_ seconds: Double, accuracy: Double = 100) -> ReceiverPlan {
        .every(seconds: seconds, accuracy: accuracy)
    }

    /// Returns the seconds at which fixes count, for a receiver that produces one each second whenever it is open.
    private func counted(_ cycle: inout DutyCycle, through end: Int, accuracy: Double? = 5) -> [Double] {
        (0...end).map(Double.init).filter { now in
            cycle.advance(to: now)
            return cycle.admit(accuracy: accuracy, at: now)
        }
    }

    // MARK: Times at which receivers are open

    @Test func noDemandMeansClosed() {
        var cycle = DutyCycle()
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == nil)
        cycle.advance(to: 1e6)
        #expect(!cycle.isOpen)
        #expect(cycle.admit(accuracy: 1, at: 1e6) == false)
    }

    @Test func continuousMeansOpenAndEveryFix() {
        var cycle = cycle(.continuous)
        #expect(counted(&cycle, through: 100).count == 101)
        #expect(cycle.isOpen)
        #expect(cycle.deadline == nil)
    }

    @Test(arguments: [(4.9, true), (5, false)])
    func afterTheLastDemandReceiversCloseInFiveSeconds(seconds: Double, isOpen: Bool) {
        var cycle = cycle(.continuous)
        cycle.follow(.off, at: 100)
        #expect(cycle.deadline == 105)
        #expect(cycle.admit(accuracy: 1, at: 101) == false)
        cycle.advance(to: 100 + seconds)
        #expect(cycle.isOpen == isOpen)
        #expect(cycle.deadline == (isOpen ? 105 : nil))
    }

    @Test func aDemandWithinFiveSecondsFindsReceiversOpen() {
        var cycle = cycle(.continuous)
        cycle.follow(.off, at: 100)
        cycle.follow(.continuous, at: 104)
        cycle.advance(to: 106)
        #expect(cycle.isOpen)
        cycle.follow(.off, at: 110)
        #expect(cycle.deadline == 115)
    }

    @Test(arguments: [(29.0, true), (30, false), (60, false), (900, false)])
    func betweenFixesThirtySecondsApartTheyAreClosed(seconds: Double, isOpen: Bool) {
        var cycle = cycle(every(seconds))
        #expect(cycle.isOpen)
        #expect(cycle.admit(accuracy: 5, at: 0) == true)
        #expect(cycle.isOpen == isOpen)
        #expect(cycle.deadline == (isOpen ? nil : seconds))
    }

    // MARK: Fixes that count

    @Test(arguments: [1.0, 10, 15, 29, 30, 60, 180])
    func oneFixPerIntervalCounts(seconds: Double) {
        var cycle = cycle(every(seconds))
        #expect(counted(&cycle, through: 1000) == Array(stride(from: 0, through: 1000, by: seconds)))
    }

    @Test(arguments: [(14.69, false), (14.7, true)])
    func aSlightlyEarlyFixCounts(seconds: Double, counts: Bool) {
        var cycle = cycle(every(15))
        #expect(cycle.admit(accuracy: 5, at: 0) == true)
        #expect(cycle.admit(accuracy: 5, at: seconds) == counts)
    }

    @Test func earlyFixesDoNotMakeTheNextOnesEarlier() {
        var cycle = cycle(every(10))
        let counted = (0...1000).map { Double($0) * 0.98 }.filter { cycle.admit(accuracy: 5, at: $0) }
        #expect((90...99).contains(counted.count))
    }

    @Test func theReceiverIsOpenedAheadByItsTimeToFix() {
        var cycle = cycle(every(60))
        #expect(cycle.admit(accuracy: 5, at: 4) == true)
        #expect(cycle.timeToFix == 4)
        #expect(cycle.deadline == 60)
        cycle.advance(to: 59.99)
        #expect(!cycle.isOpen)
        cycle.advance(to: 60)
        #expect(cycle.isOpen)
        // This time the receiver is quicker, and the fix is not due yet.
        #expect(cycle.admit(accuracy: 5, at: 62) == false)
        #expect(cycle.isOpen)
        #expect(cycle.admit(accuracy: 5, at: 64) == true)
        #expect(cycle.timeToFix == 2)
        #expect(cycle.deadline == 122)
    }

    @Test func byHalfAMinuteAtMost() {
        var cycle = cycle(every(300))
        #expect(cycle.admit(accuracy: 5, at: 50) == true)
        #expect(cycle.timeToFix == 50)
        #expect(cycle.deadline == 320)
    }

    @Test func worseFixesCountWhileItConverges() {
        var cycle = cycle(every(60, accuracy: 25))
        for second in 0..<10 {
            #expect(cycle.admit(accuracy: 30, at: Double(second)) == true)
            #expect(cycle.isOpen)
        }
        #expect(cycle.admit(accuracy: 25, at: 10) == true)
        #expect(!cycle.isOpen)
    }

    @Test func aFixOfUnknownAccuracyIsAsGoodAsAny() {
        for plan in [every(60, accuracy: 25), every(60, accuracy: .infinity)] {
            var cycle = cycle(plan)
            #expect(cycle.admit(accuracy: nil, at: 1) == true)
            #expect(!cycle.isOpen)
        }
    }

    // MARK: A receiver without fixes, or without good ones

    @Test(arguments: [(30.0, 30.0), (45, 45), (60, 60), (300, 60)])
    func theSearchIsGivenUpUntilTheNextOneIsDue(seconds: Double, search: Double) {
        var cycle = cycle(every(seconds), at: 1000)
        for round in 0..<3 {
            let begin = 1000 + Double(round) * (search + seconds)
            cycle.advance(to: begin)
            #expect(cycle.isOpen)
            #expect(cycle.deadline == begin + search)
            cycle.advance(to: begin + search - 0.01)
            #expect(cycle.isOpen)
            cycle.advance(to: begin + search)
            #expect(!cycle.isOpen)
            #expect(cycle.deadline == begin + search + seconds)
        }
    }

    @Test func whoComesAfterASearchWasGivenUpIsLookedForAtOnce() {
        var cycle = cycle(every(300))
        cycle.advance(to: 60)
        #expect(!cycle.isOpen)
        cycle.follow(every(180), at: 70)
        #expect(cycle.isOpen)
    }

    @Test func closerFixesKeepItOpen() {
        var cycle = cycle(every(15))
        cycle.advance(to: 1e6)
        #expect(cycle.isOpen)
        #expect(cycle.admit(accuracy: 5, at: 1e6) == true)
    }

    // MARK: Plans that change

    @Test func aNewDemandWaitsForTheRestOfTheInterval() {
        var cycle = cycle(every(300))
        #expect(cycle.admit(accuracy: 5, at: 0) == true)
        cycle.follow(every(60), at: 20)
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == 60)
        cycle.follow(every(10), at: 30)
        #expect(cycle.isOpen)
        #expect(cycle.admit(accuracy: 5, at: 30) == true)
        cycle.follow(every(300), at: 35)
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == 330)
    }

    @Test func aPlanThatNeedsTheNextFixAtOnceLeavesThemOpen() {
        var cycle = cycle(every(30))
        #expect(cycle.admit(accuracy: 5, at: 2) == true)
        cycle.follow(.continuous, at: 2)
        #expect(cycle.isOpen)
        #expect(cycle.admit(accuracy: 5, at: 3) == true)
        cycle.follow(every(30), at: 3)
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == 31)
    }

    @Test func aSearchBeginsWithItsPlan() {
        var cycle = cycle(.continuous)
        #expect(cycle.admit(accuracy: 5, at: 10) == true)
        // Without a fix for an hour.
        cycle.follow(every(60), at: 4000)
        #expect(cycle.isOpen)
        #expect(cycle.deadline == 4060)
        #expect(cycle.admit(accuracy: 5, at: 4002) == true)
        #expect(cycle.timeToFix == 2)
    }

    @Test func theSamePlanAgainChangesNothing() {
        var cycle = cycle(every(60))
        #expect(cycle.admit(accuracy: 5, at: 1) == true)
        cycle.follow(every(60), at: 50)
        #expect(cycle.deadline == 60)
    }

    @Test func aDeadlineThatIsLongPastIsMadeUpForOnce() {
        var cycle = cycle(every(60))
        #expect(cycle.admit(accuracy: 5, at: 0) == true)
        cycle.advance(to: 100_000)
        #expect(cycle.isOpen)
        #expect(cycle.deadline == 100_060)
        #expect(cycle.admit(accuracy: 5, at: 100_001) == true)
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == 100_060)
    }

    // MARK: A single fix

    @Test func aSingleFixIsSearchedForOnce() {
        var cycle = cycle(.once(at: 900, accuracy: 100))
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == 900)
        #expect(counted(&cycle, through: 2000) == [900])
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == nil)
    }

    @Test func aSearchForASingleFixIsShort() {
        var cycle = cycle(.once(at: 900, accuracy: 100))
        cycle.advance(to: 900)
        #expect(cycle.isOpen)
        #expect(cycle.deadline == 900 + DutyCycle.warmSearch)
        #expect(cycle.admit(accuracy: 150, at: 910) == true)
        cycle.advance(to: 900 + DutyCycle.warmSearch)
        #expect(!cycle.isOpen)
        #expect(cycle.deadline == nil)
    }

    /// The receiver needs half a minute then.
    @Test func aSearchIsLongerAfterHours() {
        var cycle = cycle(.once(at: 0, accuracy: 100))
        cycle.advance(to: 0)
        #expect(cycle.admit(accuracy: 5, at: 1) == true)
        for (time, seconds, isFound) in [(1000.0, 25.0, false), (2000, 25, true), (20_000, 40, true)] {
            cycle.follow(.once(at: time, accuracy: 100), at: time - 10)
            cycle.advance(to: time)
            #expect(cycle.deadline == time + seconds)
            if isFound { #expect(cycle.admit(accuracy: 5, at: time + 5) == true) } else { cycle.advance(to: time + 25) }
            #expect(!cycle.isOpen)
        }
    }

    @Test func anIntervalContinuesAfterASingleFix() {
        var cycle = cycle(every(120))
        #expect(cycle.admit(accuracy: 5, at: 0) == true)
        cycle.follow(.once(at: 900, accuracy: 100), at: 10)
        cycle.follow(every(120), at: 60)
        #expect(cycle.deadline == 120)
        cycle.follow(.once(at: 900, accuracy: 100), at: 70)
        cycle.follow(every(120), at: 500)
        #expect(cycle.isOpen)
    }

    // MARK: Any plan, any receiver

    /// Plans change at random moments. The receiver takes up to 25 s to a fix, and up to 3 of its fixes are poor.
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func everyPlanIsCarriedOut(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var cycle = DutyCycle()
        var now = 0.0
        var nextFix: Double?
        var poorFixes = 0
        /// The time of the last good fix that counted.
        var served = -Double.infinity
        let timeToGoodFix = 25.0 + 3
        for _ in 0..<40 {
            let seconds = [1.0, 10, 15, 30, 60, 180, 300].randomElement(using: &random)!
            let begin = now
            let end = begin + random.number(in: 1...2000)
            let single = ReceiverPlan.once(at: begin + random.number(in: -10...1500), accuracy: 100)
            let plan = [ReceiverPlan.off, .continuous, every(seconds), every(seconds), every(seconds), single]
                .randomElement(using: &random)!
            cycle.follow(plan, at: begin)
            while now < end {
                if cycle.isOpen != (nextFix != nil) {
                    nextFix = cycle.isOpen ? now + random.number(in: 1...25) : nil
                    poorFixes = Int(random.next() % 4)
                }
                let next = min(nextFix ?? .infinity, cycle.deadline ?? .infinity, end)
                #expect(next > now, "seed \(seed): stands still at \(now)")
                now = next
                if nextFix == now {
                    let isGood = poorFixes == 0
                    let counts = cycle.admit(accuracy: isGood ? 50 : 150, at: now)
                    switch plan {
                    case .off: #expect(!counts, "seed \(seed)")
                    case .continuous: #expect(counts, "seed \(seed)")
                    case .once(let time, _):
                        #expect(!counts || now >= time, "seed \(seed) at \(now)")
                        #expect(!counts || served < max(begin, time), "seed \(seed): twice, at \(now)")
                    case .every(let seconds, _):
                        if counts, isGood, served >= begin {
                            let shortest = seconds < 30 ? seconds - 0.3 : seconds
                            #expect(now - served >= shortest - 1e-6, "seed \(seed) at \(now)")
                        }
                    }
                    if counts, isGood { served = now }
                    poorFixes = max(0, poorFixes - 1)
                    nextFix = now + 1
                }
                cycle.advance(to: now)
                switch plan {
                case .off: #expect(!cycle.isOpen || now < begin + 5, "seed \(seed)")
                case .continuous: #expect(cycle.isOpen, "seed \(seed)")
                case .once(let time, _):
                    let due = max(begin, time)
                    let isDue = now >= time && served < due
                    let (least, most) = (due + DutyCycle.hotSearch, due + DutyCycle.warmSearch)
                    #expect(cycle.isOpen || !isDue || now >= least, "seed \(seed) at \(now)")
                    #expect(!cycle.isOpen || isDue && now < most, "seed \(seed) at \(now)")
                case .every(let seconds, _) where seconds < 30:
                    #expect(cycle.isOpen, "seed \(seed)")
                    #expect(now - max(served, begin) <= seconds + timeToGoodFix, "seed \(seed) at \(now)")
                case .every(let seconds, _):
                    #expect(now - max(served, begin) <= seconds + timeToGoodFix, "seed \(seed) at \(now)")
                    let isBetween = now < served + seconds - timeToGoodFix
                    #expect(!isBetween || !cycle.isOpen, "seed \(seed) at \(now)")
                }
            }
        }
    }
}
