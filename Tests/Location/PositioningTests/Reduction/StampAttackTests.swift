import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// The information in the timestamps of reduced locations.
@Suite struct StampAttackTests {
    /// An update that an app gets, as bytes, and its age.
    private struct Told: Hashable {
        let latitude: UInt64
        let longitude: UInt64
        let timestamp: Timestamp

        init(_ location: Location) {
            (latitude, longitude) = (location.latitude.bitPattern, location.longitude.bitPattern)
            timestamp = location.timestamp
        }
    }

    /// A machine that gets its fixes at its own moments within the searches.
    private struct Machine {
        var reducer: AccuracyReducer
        var chance: SeededRandom

        /// Settles a quarter with a fix that comes at any moment of the search, which lasts for `seconds`.
        mutating func settle(_ fix: Location, from begin: Double, for seconds: Double) {
            let arrival = ReductionTrial.moment(begin + chance.between(0, seconds))
            var fix = fix
            fix.timestamp = arrival
            fix.horizontalAccuracy = chance.between(1, 40)
            _ = reducer.reduce(fix, at: arrival)
        }

        func told(at seconds: Double) -> Told? {
            let now = ReductionTrial.moment(seconds)
            return reducer.lastKnown.map { Told(AccuracyReducer.delivered($0, at: now)) }
        }
    }

    /// Attack: apps watch the timestamps for years, whichever front they use, and ask at moments of their choice. 200
    /// machines commute for a year. The receiver of each is under the open sky all day, and its twin's receiver only
    /// during the searches. Apps get the same timestamp, which is as old as its delivery until the quarter is over.
    @Test func stampsTellNothingOfTheFix() {
        var (asked, differences, oldest) = (0, 0, 0.0)
        for seed in 0..<200 as Range<UInt64> {
            var chance = SeededRandom(seed: seed)
            let plane = ReductionTrial.Plane(latitude: chance.between(-60, 60), longitude: chance.between(-180, 180))
            let road = Road(&chance)
            let reducer = AccuracyReducer(secret: chance.secret(), state: nil)
            var machine = Machine(reducer: reducer, chance: SeededRandom(seed: seed &+ 1000))
            var twin = Machine(reducer: reducer, chance: SeededRandom(seed: seed &+ 2000))
            for day in 0..<365 {
                let departure = Double(day) * 86_400 + 3600 * chance.between(7, 9)
                let first = Int(departure / 900)
                for quarter in first..<first + 4 {
                    let tick = Double(quarter) * 900
                    let place = plane.place(road.point(tick - departure))
                    let fix = Location(
                        timestamp: ReductionTrial.moment(tick), latitude: place.latitude, longitude: place.longitude)
                    machine.settle(fix, from: tick, for: 5)
                    twin.settle(fix, from: tick, for: 5)
                    let moment = tick + chance.between(5, 900)
                    asked += 1
                    if machine.told(at: moment) != twin.told(at: moment) { differences += 1 }
                    if let told = machine.told(at: moment) {
                        oldest = max(oldest, ReductionTrial.moment(moment).seconds(since: told.timestamp))
                    }
                }
            }
        }
        #expect(differences == 0)
        #expect(oldest == 0)
        print("stamps: \(differences) of \(asked) locations in 200 years differ; the oldest at delivery: \(oldest) s")
    }
}
