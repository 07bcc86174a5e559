import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// Days in virtual time, with and without the surroundings.
@Suite struct WorkingDayTests {
    /// Returns a day: home, bus, office, lunch, office, shop, home. In the office the device is taken to other rooms.
    private func workingDay(seed: UInt64) -> RadioDay {
        var builder = RadioDayBuilder(seed: seed)
        let home = Journey.Point()
        builder.add(9, around: home, within: 70, isOwn: true)
        builder.stay("home", seconds: 7.5 * 3600)
        let stop = home.moved(by: 350, towards: 1)
        builder.walk(to: stop)
        let last = stop.moved(by: 7000, towards: 0.4)
        builder.drive(to: last)
        let office = last.moved(by: 250, towards: 0.9)
        builder.walk(to: office)
        builder.add(14, around: office, within: 60, isOwn: true)
        builder.add(8, around: office, within: 120)
        builder.stay("office", seconds: 3.5 * 3600, roaming: 60)
        let lunch = office.moved(by: 420, towards: 2.5)
        builder.walk(to: lunch)
        builder.add(7, around: lunch, within: 60)
        builder.stay("lunch", seconds: 45 * 60)
        builder.walk(to: office)
        builder.stay("office", seconds: 4.5 * 3600, roaming: 60)
        builder.walk(to: last)
        let shop = home.moved(by: 1500, towards: 0.5)
        builder.drive(to: shop)
        builder.add(9, around: shop, within: 60)
        builder.stay("shop", seconds: 25 * 60)
        builder.walk(to: home)
        builder.stay("home", seconds: 24 * 3600 - builder.journey.now)
        return builder.day(seed: seed)
    }

    /// Eight days. Significant changes and visits only.
    @Test func aWorkingDayOpensTheReceiverRarely() async {
        let shares = await withTaskGroup(of: Double.self) { group in
            for seed in 1...8 as ClosedRange<UInt64> { group.addTask { share(of: workingDay(seed: seed)) } }
            return await group.reduce(into: [Double]()) { $0.append($1) }
        }
        let mean = shares.reduce(0, +) / Double(shares.count)
        print("working days: the receiver is open for \(percent(mean)) of its time without surroundings")
        #expect(shares.count == 8 && mean <= 0.03)
    }

    private func percent(_ share: Double) -> String { "\(Double(Int(share * 10_000)) / 100) %" }

    /// Returns the time that the receiver is open on a day, as a share of that without surroundings.
    private func share(of day: RadioDay) -> Double {
        let (today, still) = (day.live(usesSurroundings: false), day.live(usesSurroundings: true))
        let share = still.openSeconds / today.openSeconds
        print(
            "working day \(day.seed): open \(Int(today.openSeconds)) s without surroundings, "
                + "\(Int(still.openSeconds)) s with them: \(percent(share)), "
                + "\(today.openings.count) and \(still.openings.count) openings")
        #expect(share <= 0.035, "day \(day.seed)")
        expectVisits(of: day, still, "day \(day.seed)")
        // Each stay is the last significant change before its end, as it is without the surroundings.
        for stay in day.stays {
            for (result, name) in [(today, "without"), (still, "with")] {
                let known = result.changes.last { $0.at < stay.end }
                #expect(known.map { distance($0.location, stay.place) < 600 } ?? false, "day \(day.seed), \(name)")
            }
        }
        return share
    }

    private func expectVisits(of day: RadioDay, _ result: RadioDayResult, _ comment: Comment) {
        let arrivals = result.visits.filter { $0.visit.departure == nil }
        let departures = result.visits.filter { $0.visit.departure != nil }
        #expect(arrivals.count == day.stays.count, comment)
        #expect(departures.count == day.stays.count - 1, comment)
        var delays: [Int] = []
        for (index, stay) in day.stays.enumerated() {
            if index < arrivals.count {
                let error = Day.seconds(arrivals[index].visit.arrival) - stay.begin
                // The first one begins with the first fix, which the receiver does not find at once indoors.
                #expect(error.magnitude <= (index == 0 ? 600 : 180), "\(comment), \(stay.name)")
            }
            guard index < departures.count, index < day.stays.count - 1,
                let departure = departures[index].visit.departure
            else { continue }
            // The time when the device leaves the circle of the visit.
            let left = stride(from: stay.end, to: day.length, by: 1).first {
                day.journey.state(at: $0).place.distance(to: stay.place) > VisitDetector.radius
            }
            let delay = departures[index].deliveredAt - (left ?? stay.end)
            let error = Day.seconds(departure) - stay.end
            delays.append(Int(delay))
            #expect(delay <= 180, "\(comment), \(stay.name)")
            #expect(error.magnitude <= 180, "\(comment), \(stay.name)")
        }
        print("\(comment): departures delivered \(delays) s after the device has left the circle")
    }

    private func distance(_ location: Location, _ place: Journey.Point) -> Double {
        let degrees = LocalPlane(latitude: 47.4, longitude: 8.5).place(north: place.north, east: place.east)
        return location.distance(
            to: Location(timestamp: location.timestamp, latitude: degrees.latitude, longitude: degrees.longitude))
    }

    /// 14 h connected at home: checks after 15 min, an hour, and every four hours, and no other timer.
    @Test func aNightAtHome() {
        var builder = RadioDayBuilder(seed: 5)
        builder.add(9, around: Journey.Point(), within: 70, isOwn: true)
        builder.stay("home", seconds: 14 * 3600)
        let result = builder.day(seed: 5).live(usesSurroundings: true)
        let settled = result.openings.filter { $0 > 600 }
        print("night: openings \(result.openings.map { Int($0) }), timers \(result.timers.map { Int($0) })")
        #expect(settled.count <= 5)
        for (first, second) in zip(settled.dropFirst(2), settled.dropFirst(3)) {
            #expect(second - first >= 4 * 3600)
        }
        #expect(result.timers.filter { $0 > 1000 }.count <= settled.count)
        #expect(result.reports.filter { $0 > 600 }.isEmpty)
    }

    /// A train of an hour with its own access points, which a laptop connects to. Without a fix at first.
    @Test(arguments: [0.0, 1000])
    func aTrainIsFoundOutByTheFirstCheck(blindUntil: Double) {
        var builder = RadioDayBuilder(seed: 7)
        builder.add(.init(id: 1, place: Journey.Point(), isOwn: true, travels: 0...3600))
        builder.add(.init(id: 2, place: Journey.Point(), travels: 0...3600))
        builder.add(.init(id: 3, place: Journey.Point(), travels: 0...3600))
        builder.journey.rest(seconds: 60)
        builder.drive(to: Journey.Point(north: 40_000))
        var day = builder.day(seed: 7)
        day.blindUntil = blindUntil
        let result = day.live(usesSurroundings: true)
        print("train: still \(Int(result.stillSeconds)) s, changes \(result.changes.count)")
        // Until a minute after the first fix.
        #expect(result.stillSeconds <= (blindUntil == 0 ? 0 : 900 + 2 * 60))
        #expect(result.changes.count > 5)
        var later = result.stillness
        for time in stride(from: 10_000.0, through: 12_000, by: 60) {
            later.observe(SurroundingsReport(scan: [.init(id: 1, strength: 0.9)], links: [1]), at: time)
            later.observe(fix(time), at: time)
            later.advance(to: time)
        }
        #expect(!later.isStill, "the train's access points count again")
    }

    @Test func aFlatWithFortyNeighboursIsOnePlace() {
        var builder = RadioDayBuilder(seed: 9)
        builder.add(41, around: Journey.Point(), within: 130)
        builder.stay("flat", seconds: 8 * 3600)
        let result = builder.day(seed: 9).live(usesSurroundings: true)
        print("flat: openings \(result.openings.map { Int($0) })")
        #expect(result.openings.filter { $0 > 600 }.count <= 4)
        #expect(result.stillSeconds >= 8 * 3600 - 700)
    }

    /// A slow walk through a shopping street, with many access points and frequent scans, is not stillness.
    @Test func aShoppingStreetIsNoPlace() {
        var builder = RadioDayBuilder(seed: 11)
        builder.walk(to: Journey.Point(north: 1800), spacing: 8)
        let day = builder.day(seed: 11)
        let result = day.live(usesSurroundings: true)
        print("shopping street: still \(Int(result.stillSeconds)) s of \(Int(day.length))")
        #expect(result.stillSeconds == 0)
    }

    /// A router that moves house with its owner counts no more; the neighbours do.
    @Test func aRouterThatMovedHouseCountsNoMore() {
        func scan(_ ids: [UInt64]) -> SurroundingsReport {
            SurroundingsReport(scan: ids.map { .init(id: $0, strength: 0.8) })
        }
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 1800, by: 60) {
            stillness.observe(scan([1, 2, 3]), at: time)
            stillness.observe(fix(time), at: time)
        }
        #expect(stillness.isStill)
        stillness.pause()
        for time in stride(from: 90_000.0, through: 91_800, by: 60) {
            stillness.observe(scan([1, 21]), at: time)
            stillness.observe(fix(time, north: 3000), at: time)
        }
        // One neighbour and the receiver's word.
        #expect(stillness.evidence?.emitters == 1)
    }

    /// Attack: the access points of a home are imitated elsewhere, so that the receiver stays closed on the way. The
    /// next check ends it, at the latest after four hours, and teaches that they move.
    @Test func attackAccessPointsOfAHomeThatAreImitatedElsewhere() {
        let report = SurroundingsReport(
            scan: [1, 2, 3].map { SurroundingsReport.Emitter(id: $0, strength: 0.8) }, links: [1])
        var stillness = Stillness()
        var (now, longest) = (0.0, 0.0)
        stillness.observe(report, at: now)
        stillness.observe(fix(now), at: now)
        for _ in 0..<6 {
            now = max(now + 300, stillness.evidence?.nextCheck ?? 0)
            stillness.advance(to: now)
            stillness.observe(report, at: now)
            stillness.observe(fix(now), at: now)
            longest = max(longest, (stillness.evidence?.nextCheck ?? 0) - now)
        }
        #expect(longest == 4 * 3600)
        now = stillness.evidence?.nextCheck ?? 0
        stillness.observe(report, at: now)
        stillness.observe(fix(now, north: 5000), at: now)
        #expect(!stillness.isStill)
        for _ in 0..<20 {
            now += 60
            stillness.observe(report, at: now)
            stillness.observe(fix(now, north: 5000), at: now)
            stillness.advance(to: now)
        }
        #expect(!stillness.isStill)
    }

    /// Attack: false GNSS signals during a stay teach that the home's access points move, so that the receiver is open
    /// for ever; or that a wrong place is the home.
    @Test func attackFalseSignalsTeachNothing() {
        let report = SurroundingsReport(scan: [1, 2, 3].map { .init(id: $0, strength: 0.8) })
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 3000, by: 60) {
            stillness.observe(report, at: time)
            guard time < 1000 || time > 2000 else {
                var location = fix(time, north: 90_000)
                location.doubts = FixDoubts([.jump])
                stillness.observe(location, at: time)
                continue
            }
            stillness.observe(fix(time), at: time)
        }
        #expect(stillness.isStill)
        #expect(stillness.place.contains(fix(3000)) == true)
    }

    @Test func thousandsOfAccessPointsAreBounded() {
        var stillness = Stillness()
        for time in stride(from: 0.0, through: 6000, by: 60) {
            let ids = (0..<5000).map { UInt64(time) * 10_000 + $0 }
            stillness.observe(SurroundingsReport(scan: ids.map { .init(id: $0, strength: 0.5) }), at: time)
            stillness.observe(fix(time), at: time)
        }
        #expect(!stillness.isStill)
    }

    /// The access points change with each scan: the receiver follows the plan that it has without them.
    @Test func surroundingsThatAlwaysChangeCostNoMoreThanNone() {
        var (stillness, openings) = (Stillness(), 0)
        var cycle = DutyCycle()
        for second in 0..<7200 {
            let now = Double(second)
            if second % 10 == 0 {
                let ids = [UInt64(second), UInt64(second) + 1, UInt64(second) + 2]
                stillness.observe(SurroundingsReport(scan: ids.map { .init(id: $0, strength: 0.9) }), at: now)
            }
            let wasOpen = cycle.isOpen
            cycle.follow(stillness.plan(at: now) { $0 == .still ? .off : .visits }, at: now)
            cycle.advance(to: now)
            if cycle.isOpen, !wasOpen { openings += 1 }
            if cycle.isOpen, cycle.admit(accuracy: 10, at: now) { stillness.observe(fix(now), at: now) }
        }
        #expect(!stillness.isStill)
        #expect(openings <= 7200 / 120 + 1)
    }
}
