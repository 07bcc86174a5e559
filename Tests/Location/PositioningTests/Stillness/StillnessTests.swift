import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// The decisions, one by one.
@Suite struct StillnessTests {
    /// Returns the report of a scan that hears these emitters, all of them well.
    private func scan(_ ids: [UInt64], links: Set<UInt64> = [], area: UInt64? = nil) -> SurroundingsReport {
        SurroundingsReport(scan: ids.map { .init(id: $0, strength: 0.8) }, links: links, area: area)
    }

    /// Returns the plan for an app with visits and, while the device is still, another one.
    private func plan(_ stillness: Stillness, at now: Double, still: ReceiverPlan = .off) -> ReceiverPlan {
        stillness.plan(at: now) { $0 == .still ? still : .visits }
    }

    /// Returns the value for a device that has been still at one place since 0 s, with fixes at 0 and 360 s, and is
    /// observed until `end`, with scans of these emitters every 60 s.
    private func still(_ ids: [UInt64] = [1, 2, 3, 4], until end: Double = 360) -> Stillness {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: end, by: 60) {
            stillness.observe(scan(ids), at: time)
            if time == 0 || time == 360 { stillness.observe(fix(time), at: time) }
        }
        return stillness
    }

    @Test func theSameSurroundingsForFiveMinutesAreStillness() {
        #expect(!still(until: 240).isStill)
        let stillness = still()
        #expect(stillness.isStill)
        #expect(plan(stillness, at: 360) == .once(at: 360 + 900, accuracy: 100))
        #expect(plan(stillness, at: 360, still: DesiredAccuracy.kilometer.plan) == .every(seconds: 60, accuracy: 100))
        #expect(stillness.stay.map { $0.until.seconds(since: $0.from) } == 360)
    }

    /// A train that waits, three scans and one fix.
    @Test func theOnlyFixDoesNotDecideEarlier() {
        var stillness = Stillness()
        for time in [0.0, 60, 120] { stillness.observe(scan([1, 2, 3]), at: time) }
        stillness.observe(fix(125), at: 125)
        #expect(!stillness.isStill)
        stillness.observe(scan([1, 2, 3]), at: 240)
        stillness.advance(to: 300)
        #expect(stillness.isStill)
    }

    /// An app that wants a location once a day, beside others that want none of a device that is still.
    @Test func aLongIntervalDoesNotReplaceTheChecks() {
        let daily = ReceiverPlan.every(seconds: 86_400, accuracy: 25)
        #expect(plan(still(), at: 360, still: daily) == .every(seconds: 900, accuracy: 25))
    }

    /// At a place that is not known, with three scans of three emitters, and without a connection.
    @Test func aSecondFixAfterTwoMinutesDecidesEarlier() {
        for (ids, links, isDecided) in [([1, 2, 3], [], true), ([1, 2], [], false), ([1], [1], false)] {
            var stillness = Stillness()
            for time in [0.0, 60, 120] {
                stillness.observe(scan(ids.map { UInt64($0) }, links: Set(links.map { UInt64($0) })), at: time)
            }
            stillness.observe(fix(60), at: 60)
            stillness.observe(fix(125), at: 125)
            #expect(stillness.isStill == isDecided, "\(ids), \(links)")
        }
    }

    @Test func onTheWayEachScanIsNew() {
        var stillness = still()
        #expect(stillness.motion(at: 360) == .still)
        stillness.observe(scan([11, 12]), at: 400)
        stillness.observe(fix(401, north: 300), at: 401)
        stillness.observe(fix(431, north: 400), at: 431)
        stillness.observe(scan([21, 22]), at: 460)
        #expect(stillness.motion(at: 461) == .moving)
        stillness.observe(scan([21, 22]), at: 520)
        #expect(stillness.motion(at: 521) == .settling)
        #expect(plan(stillness, at: 521) == .visits)
        #expect(stillness.plan(at: 521) { $0 == .settling ? .off : .visits } == .once(at: 460 + 120, accuracy: 100))
        #expect(stillness.motion(at: 1000) == .unknown)
    }

    @Test func theFirstScanSaysNothingAboutTheMovement() {
        var stillness = Stillness()
        stillness.observe(scan([1, 2]), at: 0)
        #expect(stillness.motion(at: 1) == .unknown)
    }

    @Test func aConnectionIsEnoughWithAnotherNetworkThatIsHeardAgain() {
        var stillness = Stillness()
        stillness.observe(scan([1, 2], links: [1]), at: 0)
        var once = stillness
        once.advance(to: 300)
        #expect(!once.isStill)
        stillness.observe(scan([1, 2], links: [1]), at: 10)
        stillness.advance(to: 300)
        #expect(stillness.isStill)
        // A check comes soon, for want of a fix.
        #expect(plan(stillness, at: 300) == .once(at: 300 + 120, accuracy: 100))
        #expect(stillness.deadline(after: 300) == 300 + 120 + Stillness.checkSeconds)
    }

    /// Without any fix, two searches in vain end it, and the receivers follow the apps' plan for a while.
    @Test func withoutAnyFixTwoChecksInVainEndIt() {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 300, by: 60) {
            stillness.observe(scan([1, 2, 3], links: [1]), at: time)
        }
        #expect(stillness.isStill)
        let first = 300 + 120 + Stillness.checkSeconds
        stillness.advance(to: first)
        #expect(stillness.evidence?.nextCheck == first + 900)
        let second = first + 900 + Stillness.checkSeconds
        stillness.advance(to: second)
        #expect(!stillness.isStill)
        for time in stride(from: second + 60, to: second + 900, by: 60) {
            stillness.observe(scan([1, 2, 3], links: [1]), at: time)
            #expect(!stillness.isStill && plan(stillness, at: time) == .visits)
        }
        var found = stillness
        found.observe(fix(second + 890), at: second + 890)
        #expect(found.isStill)
        #expect(stillness.deadline(after: second + 890) == second + 900)
        stillness.advance(to: second + 900)
        #expect(stillness.isStill)
    }

    @Test func withAFixOfTheStayChecksInVainDoNotEndIt() {
        var stillness = still()
        stillness.observe(SurroundingsReport(links: [1]), at: 370)
        for _ in 0..<10 {
            guard let next = stillness.evidence?.nextCheck else { break }
            stillness.advance(to: next + Stillness.checkSeconds)
        }
        #expect(stillness.isStill)
    }

    /// A stored position, or one of cells, from a receiver that begins to search.
    @Test func aVagueFixConfirmsNothing() {
        var vague = fix(420)
        vague.horizontalAccuracy = 2000
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 300, by: 60) { stillness.observe(scan([1, 2, 3]), at: time) }
        let before = plan(stillness, at: 420)
        stillness.observe(vague, at: 420)
        #expect(plan(stillness, at: 420) == before)
        #expect(stillness.place.fix == nil && stillness.stay == nil)
        stillness.observe(fix(422), at: 422)
        #expect(stillness.place.fix?.horizontalAccuracy == fix(0).horizontalAccuracy)
        vague = fix(430, north: 1900)
        vague.horizontalAccuracy = 2000
        stillness.observe(vague, at: 430)
        #expect(stillness.isStill)
        vague = fix(440, north: 2300)
        vague.horizontalAccuracy = 2000
        stillness.observe(vague, at: 440)
        #expect(!stillness.isStill)
    }

    /// A van's router, or a train's own access points, among those of streets and platforms.
    @Test(arguments: [1, 3]) func whatTravelsAlongAmongStrangersIsNoPlace(own: UInt64) {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 3600, by: 60) {
            let strangers = (0..<(4 * own)).map { UInt64(time) * 100 + 1000 + $0 }
            stillness.observe(scan(Array(1...own) + strangers, links: [1]), at: time)
            stillness.advance(to: time)
            #expect(!stillness.isStill, "\(time)")
            if time > 0 { #expect(stillness.motion(at: time) == .moving, "\(time)") }
        }
    }

    @Test func aConnectionAmongStrangersDoesNotKeepThePlace() {
        var stillness = still()
        for (index, time) in [400.0, 460].enumerated() {
            #expect(stillness.isStill)
            let strangers = (0..<12).map { 100 * UInt64(index + 1) + $0 }
            stillness.observe(scan([1] + strangers, links: [1]), at: time)
        }
        #expect(!stillness.isStill)
        // It has not shown the place in the meantime.
        #expect(stillness.stay?.until == fix(360).timestamp)
    }

    /// The connection travelled along: the departure was after the last fix at the place.
    @Test func aFixElsewhereTakesBackTheTimeSinceTheLastOneAtThePlace() {
        var (there, gone) = (still(), still())
        for time in [400.0, 1200] {
            there.observe(SurroundingsReport(links: [1]), at: time)
            gone.observe(SurroundingsReport(links: [1]), at: time)
        }
        #expect(gone.stay?.until == fix(1200).timestamp)
        #expect(gone.stay?.certainUntil == fix(360).timestamp)
        gone.observe(fix(1260, north: 4000), at: 1260)
        #expect(!gone.isStill)
        #expect(gone.stay?.certainUntil == fix(360).timestamp)
        // Other surroundings say so themselves, and silence was there until then.
        there.observe(scan([21, 22, 23]), at: 1250)
        #expect(there.stay?.certainUntil == fix(1250).timestamp)
        var silent = still(until: 600)
        silent.advance(to: 600 + Stillness.silence)
        #expect(!silent.isStill)
        #expect(silent.stay?.certainUntil == fix(600).timestamp)
    }

    /// A receiver with a wrong date at first.
    @Test func theTimesOfAStayFollowTheLastFix() {
        var stillness = Stillness()
        stillness.observe(fix(500_000), at: 0)
        for time in stride(from: 0.0, through: 360, by: 60) {
            stillness.observe(scan([1, 2, 3]), at: time)
            if time == 0 { stillness.observe(fix(500_000), at: time) }
        }
        stillness.observe(fix(400), at: 400)
        stillness.observe(scan([1, 2, 3]), at: 420)
        #expect(stillness.stay?.from == fix(0).timestamp)
        #expect(stillness.stay?.until == fix(420).timestamp)
    }

    /// A recording at ten times the speed was played in between.
    @Test func afterAPauseNoTimeCounts() {
        var stillness = still()
        var location = fix(1_000_000)
        location.simulated = true
        stillness.observe(location, at: 1_000_000)
        stillness.pause()
        for time in stride(from: 500.0, through: 860, by: 60) {
            stillness.observe(scan([1, 2, 3, 4]), at: time)
            stillness.observe(fix(time), at: time)
        }
        #expect(stillness.isStill)
        #expect(stillness.evidence?.since == 860)
    }

    @Test func aSingleEmitterNeedsAFix() {
        var stillness = Stillness()
        stillness.observe(SurroundingsReport(links: [1]), at: 0)
        #expect(stillness.deadline(after: 0) == 120 + Stillness.checkSeconds)
        stillness.advance(to: 400)
        #expect(!stillness.isStill)
        stillness.observe(fix(410), at: 410)
        #expect(stillness.isStill)
        // A check that fails ends it.
        stillness.advance(to: 410 + 900 + Stillness.checkSeconds)
        #expect(!stillness.isStill)
    }

    @Test func aFixThatIsFarFromTheFirstIsAnotherPlace() {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 600, by: 60) {
            stillness.observe(scan([1, 2, 3]), at: time)
            stillness.observe(fix(time, north: 2 * time), at: time)
        }
        #expect(!stillness.isStill)
    }

    @Test func newSurroundingsAreDecidedByAFix() {
        var (there, gone) = (still(), still())
        there.observe(scan([11, 12, 13]), at: 400)
        #expect(!there.isStill)
        #expect(plan(there, at: 400) == .every(seconds: 30, accuracy: 50))
        gone = there
        there.observe(fix(410, north: 60), at: 410)
        #expect(there.isStill)
        // What a fix has confirmed belongs to the place.
        there.observe(scan([11, 12, 13]), at: 470)
        #expect(there.isStill)
        gone.observe(fix(410, north: 250), at: 410)
        gone.observe(fix(440, north: 350), at: 440)
        #expect(!gone.isStill)
        #expect(plan(gone, at: 440) == .visits)
        #expect(gone.stay == nil)
    }

    @Test func weakScansOfTheSamePlaceChangeNothing() {
        var stillness = still(Array(1...20))
        for (index, ids) in [[1, 2, 3], [4, 5, 21], [17], [8, 9, 10, 11, 22, 23]].enumerated() {
            stillness.observe(scan(ids.map { UInt64($0) }), at: 400 + 60 * Double(index))
            #expect(stillness.isStill, "\(ids)")
        }
    }

    @Test func silenceIsNotStillness() {
        var stillness = still()
        #expect(stillness.deadline(after: 361) == 360 + Stillness.silence)
        stillness.advance(to: 360 + Stillness.silence)
        #expect(!stillness.isStill)
        #expect(plan(stillness, at: 700) == .visits)
    }

    @Test func anEmptyScanIsADeparture() {
        var stillness = still()
        stillness.observe(scan([]), at: 400)
        #expect(!stillness.isStill)
        // With few emitters, one scan may miss them.
        stillness = still([1, 2])
        stillness.observe(scan([]), at: 400)
        #expect(stillness.isStill)
        stillness.observe(scan([]), at: 460)
        #expect(!stillness.isStill)
    }

    @Test func aLostConnectionWaitsForAScan() {
        var stillness = still()
        stillness.observe(SurroundingsReport(links: [2]), at: 400)
        stillness.observe(SurroundingsReport(), at: 1000)
        #expect(stillness.isStill)
        var other = stillness
        stillness.observe(scan([1, 2, 3]), at: 1005)
        #expect(stillness.isStill)
        #expect(other.deadline(after: 1000) == 1060)
        other.advance(to: 1060)
        #expect(!other.isStill)
        // The connection has shown the place until it was lost.
        #expect(other.stay?.until == fix(1000).timestamp)
    }

    @Test func anotherAreaOfTheCellIsADeparture() {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 360, by: 60) {
            stillness.observe(scan([1, 2, 3], links: [1], area: 7), at: time)
        }
        #expect(stillness.isStill)
        stillness.observe(SurroundingsReport(links: [1], area: 7), at: 400)
        #expect(stillness.isStill)
        stillness.observe(SurroundingsReport(links: [1], area: 8), at: 460)
        #expect(!stillness.isStill)
    }

    @Test func aSleepIsOverOnceTheSurroundingsAreHeardAgain() {
        var (same, other, silent) = (still(), still(), still())
        for (number, ids) in [[1, 2, 3], [31, 32, 33]].enumerated() {
            var stillness = still()
            stillness.woke(after: 3600, at: 380)
            #expect(stillness.isStill)
            stillness.observe(scan(ids.map { UInt64($0) }), at: 395)
            #expect(stillness.isStill == (number == 0))
            if number == 0 {
                same = stillness
            } else {
                other = stillness
            }
        }
        // The sleep counts as time at the place if the place is the same, and a check comes soon.
        #expect(same.stay.map { $0.until == fix(395 + 3600).timestamp } == true)
        #expect(plan(same, at: 395) == .once(at: 360 + 900, accuracy: 100))
        #expect(other.stay.map { $0.until == fix(360).timestamp } == true)
        silent.woke(after: 10, at: 380)
        silent.advance(to: 380 + 60)
        #expect(!silent.isStill)
    }

    /// Checks after 15 minutes, an hour, and every four hours.
    @Test func checksBecomeRarer() {
        var stillness = Stillness()
        stillness.observe(scan([1, 2, 3], links: [1]), at: 0)
        stillness.observe(fix(1), at: 1)
        stillness.advance(to: 300)
        var (now, gaps) = (300.0, [Double]())
        for _ in 0..<5 {
            guard case .once(let time, _) = plan(stillness, at: now) else { break }
            gaps.append(time - now)
            now = time
            stillness.observe(fix(now, north: 20), at: now)
        }
        #expect(gaps == [900, 3600, 14_400, 14_400, 14_400])
    }

    @Test func aKnownPlaceNeedsAMinuteAndAFix() {
        var stillness = still()
        for time in stride(from: 400.0, through: 700, by: 60) {
            stillness.observe(scan([UInt64(time), UInt64(time) + 1]), at: time)
            stillness.observe(fix(time, north: 4 * (time - 340)), at: time)
        }
        #expect(!stillness.isStill)
        stillness.observe(scan([1, 2, 3]), at: 1000)
        stillness.observe(scan([1, 2, 4]), at: 1020)
        stillness.observe(fix(1030), at: 1030)
        #expect(!stillness.isStill)
        stillness.observe(scan([1, 2, 4]), at: 1050)
        stillness.observe(fix(1061), at: 1061)
        #expect(stillness.isStill)
    }

    /// What a receiver of another journey, or of none, reports says nothing about the place.
    @Test func simulatedFixesEndIt() {
        var stillness = still()
        var location = fix(400)
        location.simulated = true
        stillness.observe(location, at: 400)
        #expect(!stillness.isStill)
        for time in stride(from: 460.0, through: 1000, by: 60) { stillness.observe(scan([1, 2, 3, 4]), at: time) }
        #expect(!stillness.isStill)
    }

    @Test func aSuspectFixConfirmsNothingAndTeachesNothing() {
        var stillness = still()
        var location = fix(1200, north: 50_000)
        location.doubts = FixDoubts([.spoofing])
        stillness.observe(location, at: 1200)
        #expect(!stillness.isStill)
        // The emitters do not count as moving.
        for time in stride(from: 1260.0, through: 1700, by: 60) { stillness.observe(scan([1, 2, 3, 4]), at: time) }
        #expect(stillness.isStill)
    }

    @Test func anythingMayComeInAnyOrder() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var (stillness, now) = (Stillness(), 0.0)
            for _ in 0..<2000 {
                now += random.number(in: 0...200)
                let ids = (0..<Int(random.number(in: 0...6))).map { _ in UInt64(random.number(in: 1...8)) }
                switch random.next() % 6 {
                case 0: stillness.observe(scan(ids, links: Set(ids.prefix(1))), at: now)
                case 1: stillness.observe(scan(ids), at: now)
                case 2: stillness.observe(fix(now, north: random.number(in: 0...400)), at: now)
                case 3: stillness.woke(after: 100, at: now)
                case 4: stillness.pause()
                default: stillness.observe(SurroundingsReport(links: Set(ids)), at: now)
                }
                stillness.advance(to: now)
                // A deadline that is past would have the timer fire again and again.
                if let deadline = stillness.deadline(after: now) { #expect(deadline > now, "seed \(seed)") }
                if stillness.isStill { #expect(stillness.evidence?.nextCheck ?? 0 < .infinity, "seed \(seed)") }
            }
        }
    }
}
