import LocationModel
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// What apps with reduced accuracy get over thousands of skies: of what the receiver does between two searches,
/// nothing.
@Suite struct ReductionSkiesTests {
    /// A tick, in seconds since 1970.
    private static let tick: Int64 = 1_800_000_000
    /// The seconds after a tick in which its search takes a fix.
    private static let search: Range<Int64> = 0..<5
    /// The quarters of each life.
    private static let quarters: Int64 = 40

    /// What the receiver does in a search, which apps may learn.
    private enum Search: CaseIterable {
        /// There is a fix from this second of the search on.
        case fixes
        /// No receiver is there.
        case noReceiver
        /// Epochs that have waited come, and no fix.
        case waited
    }

    /// What the receiver does for a while between two searches, which apps must not learn.
    private enum Weather: CaseIterable { case open, dark, unplugged, jumped, waited, garage }

    /// Attack: an app with reduced accuracy compares what it gets, and when, with what it gets under another sky, and
    /// so learns when the device drove into a garage and out of it, or when its receiver was plugged in.
    @Test(arguments: 0..<50) func whatHappensBetweenTwoSearchesDoesNotShow(life: Int) {
        var chance = SeededRandom(seed: UInt64(life))
        let searches = (0..<Self.quarters).map { _ in
            (kind: Search.allCases.randomElement(using: &chance)!, from: Int64.random(in: Self.search, using: &chance))
        }
        let dark = told(about: searches, life: life, isFullWanted: false) { _ in .dark }
        var weather = Weather.open
        let eventful = told(about: searches, life: life, isFullWanted: Bool.random(using: &chance)) { second in
            if Int.random(in: 0..<60, using: &chance) == 0 {
                weather = Weather.allCases.randomElement(using: &chance)!
            }
            // A receiver that was away and has had no fix since is not there, which a search finds out.
            return (second + 900) % 900 > 840 ? .open : weather
        }
        #expect(dark.deliveries == eventful.deliveries)
        #expect(dark.lastKnown == eventful.lastKnown)
        #expect(dark.deliveries.count > 15)
    }

    /// A location that an app with reduced accuracy can see, and the second in which it could first.
    private struct Sight: Equatable {
        var second: Int64
        var lastKnown: Location?
    }

    /// Attack: an app with reduced accuracy looks each second of a day, and learns when the device moves within its cell,
    /// or when the sky above it opens and closes between two searches.
    @Test func aDayInOneCell() {
        var chance = SeededRandom(seed: 63)
        let still = sights { _ in 47 }
        let walking = sights { 47 + 0.004 * Double($0 % 3600) / 3600 }
        var isOpen = true
        let clouded = sights { second in
            if Int.random(in: 0..<120, using: &chance) == 0 { isOpen.toggle() }
            return isOpen || Self.search.contains((second + 900) % 900) ? 47 : nil
        }
        #expect(still.deliveries == walking.deliveries && still.seen == walking.seen)
        #expect(still.deliveries == clouded.deliveries && still.seen == clouded.seen)
        #expect(still.deliveries.count > 90 && still.seen.count > 90)
    }

    /// Returns what an app gets in a day, and what it sees in each second of it.
    ///
    /// - Parameter latitude: Returns the receiver's latitude in a second, or `nil` if it has no fix.
    private func sights(
        latitude: (Int64) -> Double?
    ) -> (deliveries: [ReductionMachine.Delivery], seen: [Sight]) {
        let machine = ReductionMachine(start: Self.tick - 100)
        machine.isReducedWanted = true
        var seen: [Sight] = []
        while machine.time < Self.tick + 86_400 {
            machine.pass {
                guard let latitude = latitude(machine.time - Self.tick) else { return }
                machine.sources[0].fix(machine.time, latitude: latitude)
            }
            let lastKnown = machine.schedule.lastKnown
            if seen.last?.lastKnown != lastKnown { seen.append(Sight(second: machine.second, lastKnown: lastKnown)) }
        }
        return (machine.deliveries, seen)
    }

    /// Returns what a stream gets, and what an app gets that asks now and then, if the receiver does that in the
    /// searches and in between what the weather is.
    private func told(
        about searches: [(kind: Search, from: Int64)], life: Int, isFullWanted: Bool, weather: (Int64) -> Weather
    ) -> (deliveries: [ReductionMachine.Delivery], lastKnown: [Location?]) {
        var (lastKnown, chance) = ([Location?](), SeededRandom(seed: UInt64(1000 + life)))
        let machine = ReductionMachine(start: Self.tick - 100)
        machine.isFullWanted = isFullWanted
        machine.isReducedWanted = true
        machine.pass { machine.sources[0].fix(machine.time) }
        let source = machine.sources[0]
        while machine.time < Self.tick + Self.quarters * 900 - 100 {
            let sinceTick = machine.time - Self.tick
            let (quarter, second) = sinceTick.quotientAndRemainder(dividingBy: 900)
            machine.pass {
                guard sinceTick >= 0, Self.search.contains(second) else {
                    return act(weather(sinceTick), of: source, at: machine.time)
                }
                let search = searches[Int(quarter)]
                switch search.kind {
                case .fixes: if second >= search.from { source.fix(machine.time) }
                case .noReceiver: source.fail(.disconnected)
                case .waited:
                    if second == search.from { (10...60).forEach { source.fix(machine.time - 100 + $0) } }
                }
            }
            if Int.random(in: 0..<20, using: &chance) == 0 { lastKnown.append(machine.schedule.lastKnown) }
        }
        return (machine.deliveries, lastKnown)
    }

    private func act(_ weather: Weather, of source: FakeSource, at time: Int64) {
        switch weather {
        case .open: source.fix(time)
        case .dark: break
        case .unplugged: source.fail(.disconnected)
        case .jumped: source.fix(time - 619_315_200)
        case .waited: (0..<5).forEach { source.fix(time - 40 + $0) }
        case .garage: source.fix(time, accuracy: 3000)
        }
    }
}
