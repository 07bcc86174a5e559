import FoundationEssentials
import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// The rules one by one: ticks, the settling of a quarter, the stored state, and clocks that are wrong.
@Suite struct AccuracyReducerTests {
    private let secret = [UInt8](repeating: 7, count: 32)

    private func fix(_ seconds: Double, latitude: Double = 48.1, longitude: Double = 11.5) -> Location {
        Location(timestamp: ReductionTrial.moment(seconds), latitude: latitude, longitude: longitude)
    }

    @Test func ticksAreQuartersOfAnHour() {
        func tick(_ milliseconds: Int64) -> Int64 {
            AccuracyReducer.tick(atOrBefore: Timestamp(millisecondsSince1970: milliseconds)).millisecondsSince1970
        }
        #expect([-1, 0, 1, 899_999, 900_000].map(tick) == [-900_000, 0, 0, 0, 900_000])
        #expect(AccuracyReducer.nextTick(after: ReductionTrial.moment(0)) == ReductionTrial.moment(900))
        #expect(AccuracyReducer.nextTick(after: ReductionTrial.moment(899.999)) == ReductionTrial.moment(900))
        #expect(AccuracyReducer.nextTick(after: ReductionTrial.moment(-0.001)) == ReductionTrial.moment(0))
        #expect(tick(.max) == 253_402_299_900_000)
        #expect(tick(.min) == -62_167_219_200_000)
    }

    /// Attack: the moment of the fix distinguishes receivers from one another, and reveals what keeps a receiver busy.
    @Test(arguments: [0, 0.2, 2, 2.001, 450, 899.999])
    func aFixSettlesItsQuarter(seconds: Double) {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        let reduced = reducer.reduce(fix(seconds))
        #expect(reduced?.timestamp == ReductionTrial.moment(0))
        #expect(reducer.lastKnown == reduced)
        #expect(reducer.reduce(fix(899.999, latitude: 48.4)) == nil)
        #expect(reducer.reduce(fix(900, latitude: 48.4))?.timestamp == ReductionTrial.moment(900))
    }

    /// It is as old as its delivery, until its quarter is over.
    @Test(arguments: [
        (-86_400, 0), (-0.001, 0), (0, 0), (5.25, 5.25), (899.999, 899.999), (900, 899.999), (86_400, 899.999),
    ])
    func aLocationHasTheTimeOfItsDelivery(delivered: Double, told: Double) throws {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        let settled = reducer.reduce(fix(450))
        let reduced = AccuracyReducer.delivered(try #require(settled), at: ReductionTrial.moment(delivered))
        #expect(reduced.timestamp == ReductionTrial.moment(told))
        #expect(reduced.latitude == settled?.latitude && reduced.horizontalAccuracy == settled?.horizontalAccuracy)
    }

    /// Attack: if each subscription started a search, an attacker could make searches last as long as it likes. A
    /// quarter has one search, over restarts too. A settled quarter has none.
    @Test func aQuarterIsSearchedInOnce() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        #expect(!reducer.isSearched(at: ReductionTrial.moment(450)))
        #expect(reducer.beginSearch(at: ReductionTrial.moment(450)) == true)
        for seconds in [450, 0, 899.999] as [Double] {
            #expect(reducer.beginSearch(at: ReductionTrial.moment(seconds)) == false)
            #expect(reducer.isSearched(at: ReductionTrial.moment(seconds)))
        }
        reducer = AccuracyReducer(secret: secret, state: reducer.state)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(500)) == false)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(900)) == true)
        // A fix of the quarter before, which is read late.
        #expect(reducer.beginSearch(at: ReductionTrial.moment(899)) == false)
        // The fix of a search that lasted beyond a tick.
        #expect(reducer.reduce(fix(1801)) != nil)
        for seconds in [1000, 1800, 2699] as [Double] {
            #expect(reducer.isSearched(at: ReductionTrial.moment(seconds)))
            #expect(reducer.beginSearch(at: ReductionTrial.moment(seconds)) == false)
        }
        #expect(reducer.beginSearch(at: ReductionTrial.moment(2700)) == true)
        // A clock that is years behind the last fix starts searches again.
        #expect(reducer.beginSearch(at: ReductionTrial.moment(-1024 * 604_800)) == true)
    }

    /// Whatever else the receiver knows, none of it reaches apps with reduced accuracy.
    @Test func nothingButTheCellIsDelivered() throws {
        var exact = fix(0.2)
        exact.horizontalAccuracy = 3
        exact.altitude = 520
        exact.ellipsoidalAltitude = 567
        exact.verticalAccuracy = 4
        exact.course = 90
        exact.courseAccuracy = 1
        exact.speed = 10
        exact.speedAccuracy = 0.2
        (exact.quality, exact.correctionAge) = (.rtkFixed, 1)
        (exact.satellitesUsed, exact.horizontalDilution) = (17, 0.7)
        exact.receiver = "u-blox"
        var reducer = AccuracyReducer(secret: secret, state: nil)
        let update = reducer.reduce(exact)
        let reduced = try #require(update)
        var expected = Location(
            timestamp: ReductionTrial.moment(0), latitude: reduced.latitude, longitude: reduced.longitude)
        expected.horizontalAccuracy = AccuracyReducer.horizontalAccuracy
        #expect(reduced == expected)
        #expect(exact.distance(to: reduced) <= AccuracyReducer.horizontalAccuracy)
    }

    /// It is of now, so the part of the radius for the way of a device contains its error.
    @Test(arguments: [(300.0, true), (301, false)])
    func aRememberedPlaceSettlesAQuarter(accuracy: Double, isSettled: Bool) {
        var place = fix(0)
        (place.horizontalAccuracy, place.quality) = (accuracy, .remembered)
        var reducer = AccuracyReducer(secret: secret, state: nil)
        let reduced = reducer.reduce(place)
        #expect((reduced != nil) == isSettled && reduced?.quality == nil)
        #expect(reducer.isOfMemory == isSettled)
        // The same after a restart, until a fix settles a quarter.
        var restarted = AccuracyReducer(secret: secret, state: reducer.state)
        #expect(restarted.isOfMemory == isSettled)
        let next = restarted.reduce(fix(901))
        #expect(next != nil && !restarted.isOfMemory)
    }

    /// The radius would not hold for these fixes, so they settle nothing. The next good fix does.
    @Test func fixesThatProveNothingSettleNothing() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        var bad = [fix(0), fix(0), fix(0, latitude: .nan), fix(0, latitude: 90.1), fix(0, longitude: -180.1)]
        bad[0].speed = 361
        bad[1].horizontalAccuracy = 41
        bad.append(Location(timestamp: Timestamp(millisecondsSince1970: .max), latitude: 0, longitude: 0))
        bad.append(Location(timestamp: Timestamp(millisecondsSince1970: .min), latitude: 0, longitude: 0))
        for location in bad { #expect(reducer.reduce(location) == nil) }
        #expect(reducer.lastKnown == nil)
        var good = fix(1)
        good.speed = 360
        good.horizontalAccuracy = 40
        #expect(reducer.reduce(good)?.timestamp == ReductionTrial.moment(0))
    }

    /// Attack: the clock is set back, or the same fix comes again, to get a second position for one quarter, or more
    /// than 4 an hour.
    @Test func noQuarterIsSettledTwice() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        #expect(reducer.reduce(fix(1400)) != nil)
        for seconds in [1400, 1401, 1799, 900, 0, 0.5, -900, 900 - 86_400] as [Double] {
            #expect(reducer.reduce(fix(seconds, latitude: 48.4)) == nil)
        }
        #expect(reducer.reduce(fix(1800, latitude: 48.4)) != nil)
    }

    /// A day of fixes of each kind, in any order: at most one update in each quarter by the receivers' clock.
    @Test func atMostFourAnHour() {
        var chance = SeededRandom(seed: 3)
        var reducer = AccuracyReducer(secret: secret, state: nil)
        var told: [Timestamp] = []
        var clock = 0.0
        while clock < 86_400 {
            clock += chance.between(0, 60)
            let tick = (clock / 900).rounded(.down) * 900
            let seconds =
                Bool.random(using: &chance)
                ? clock : tick + chance.between(-1, 3) - 900 * chance.between(0, 9).rounded()
            let location = fix(seconds, latitude: chance.between(-80, 80), longitude: chance.between(-180, 180))
            if let reduced = reducer.reduce(location) { told.append(reduced.timestamp) }
        }
        #expect(told.count > 48)
        #expect(told == told.sorted())
        #expect(Set(told.map(AccuracyReducer.tick(atOrBefore:))).count == told.count)
    }

    /// A receiver sends a date 1024 weeks ahead once, as happens at a rollover of the week number. No more than the
    /// next tick is lost.
    @Test func aDateInTheFutureDoesNotSilenceForEver() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        #expect(reducer.reduce(fix(0)) != nil)
        #expect(reducer.reduce(fix(1024 * 604_800)) != nil)
        // The stored state carries the wrong date over a restart.
        reducer = AccuracyReducer(secret: secret, state: reducer.state)
        #expect(reducer.reduce(fix(900)) == nil)
        #expect(reducer.reduce(fix(901)) == nil)
        #expect(reducer.reduce(fix(1800)) != nil)
        #expect(reducer.reduce(fix(2700)) != nil)
        #expect(reducer.lastKnown?.timestamp == ReductionTrial.moment(2700))
    }

    /// Attack: two receivers, one of them years ahead, produce two updates for one tick. Only one of the two counts
    /// until it falls silent.
    @Test func twoDatesGiveNoSecondClock() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        var told = 0
        for tick in 0..<96 {
            if reducer.reduce(fix(Double(tick) * 900)) != nil { told += 1 }
            if reducer.reduce(fix(1024 * 604_800 + Double(tick) * 900)) != nil { told += 1 }
        }
        #expect(told == 97)
    }

    /// An app that requests a location once a day gets one again too, although its quarters do not follow one
    /// another.
    @Test func aDateInTheFutureDoesNotSilenceRareRequests() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        #expect(reducer.reduce(fix(1024 * 604_800)) != nil)
        #expect(reducer.reduce(fix(0)) == nil)
        #expect(reducer.reduce(fix(800)) == nil)
        #expect(reducer.reduce(fix(86_400)) != nil)
    }

    /// Attack: an update of the daemon that loses the state would settle the quarter a second time.
    @Test func theStateOfOlderVersionsHolds() throws {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        _ = reducer.reduce(fix(0))
        let text = try #require(String(bytes: JSONEncoder().encode(reducer.state), encoding: .utf8))
        #expect(text.contains("\"tick\":"))
        #expect(!text.contains("searched"))
        let kept = try JSONDecoder().decode(AccuracyReducer.State.self, from: Data(text.utf8))
        #expect(AccuracyReducer(secret: secret, state: kept).lastKnown == reducer.lastKnown)
    }

    @Test func theStateIsKeptAsText() throws {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        #expect(reducer.beginSearch(at: ReductionTrial.moment(450)) == true)
        _ = reducer.reduce(fix(450))
        let kept = try JSONDecoder().decode(
            AccuracyReducer.State.self, from: JSONEncoder().encode(reducer.state))
        #expect(kept == reducer.state)
        #expect(AccuracyReducer(secret: secret, state: kept).lastKnown == reducer.lastKnown)
    }

    /// A cell of another grid, delivered together with cells of this one, would reveal where the two overlap. A cell
    /// that does not exist has no place.
    @Test func aStateOfAnotherSecretOrWithoutSenseIsIgnored() {
        var reducer = AccuracyReducer(secret: secret, state: nil)
        _ = reducer.reduce(fix(0))
        let other = AccuracyReducer(secret: [UInt8](repeating: 8, count: 32), state: reducer.state)
        #expect(other.lastKnown == nil)
        #expect(other.state.settled == nil)
        let changes: [(inout AccuracyReducer.State.Settled) -> Void] = [
            { $0.row = 1991 }, { $0.row = .min }, { $0.column = -1 }, { $0.column = 8000 },
            { $0.tick = ReductionTrial.moment(0.5) }, { $0.tick = Timestamp(millisecondsSince1970: .max) },
        ]
        for change in changes {
            var state = reducer.state
            if var settled = state.settled {
                change(&settled)
                state.settled = settled
            }
            #expect(state != reducer.state)
            #expect(AccuracyReducer(secret: secret, state: state).lastKnown == nil)
        }
    }

    /// Attack: a user who can simulate positions moves one back and forth until the cell changes, and so finds the
    /// borders of the real grid. Simulated positions have a grid of their own.
    @Test func simulatedPositionsHaveAnotherGrid() {
        let reducer = AccuracyReducer(secret: secret, state: nil)
        var differences = 0
        for step in 0..<100 {
            let (latitude, longitude) = (48 + Double(step) / 1000, 11 + Double(step) / 1000)
            var (real, madeUp) = (reducer, reducer)
            var simulated = fix(0, latitude: latitude, longitude: longitude)
            simulated.simulated = true
            let told = madeUp.reduce(simulated)
            #expect(told?.simulated == true)
            let truth = real.reduce(fix(0, latitude: latitude, longitude: longitude))
            if told?.latitude != truth?.latitude || told?.longitude != truth?.longitude { differences += 1 }
        }
        #expect(differences > 10)
    }

    /// The shift of a machine is uniformly distributed: 2000 secrets, chi-squared over ten classes, 99.9 %.
    @Test func shiftsAreUniform() {
        var chance = SeededRandom(seed: 11)
        var north = [Double](repeating: 0, count: 10)
        var east = north
        for _ in 0..<2000 {
            let grid = AccuracyReducer(secret: chance.secret(), state: nil).grid
            north[Int((grid.shiftNorth + 0.5) * 10)] += 1
            east[Int((grid.shiftEast + 0.5) * 10)] += 1
        }
        for counts in [north, east] {
            let chiSquared = counts.map { ($0 - 200) * ($0 - 200) / 200 }.reduce(0, +)
            #expect(chiSquared < 27.88)
        }
    }
}
