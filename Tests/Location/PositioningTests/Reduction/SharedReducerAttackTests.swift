import Glibc
import LocationModel
import Testing

@testable import Positioning

/// Attackers that stay, return, collaborate, or once had full accuracy. Their machine is at home, or moves about.
@Suite struct SharedReducerAttackTests {
    private static let plane = ReductionTrial.Plane(latitude: 52.5, longitude: 13.4)
    private typealias Point = ReductionTrial.Point

    /// An update as bytes: equal values are indistinguishable to an app.
    private struct Told: Hashable {
        let latitude: UInt64
        let longitude: UInt64
        let accuracy: UInt64?

        init(_ location: Location) {
            latitude = location.latitude.bitPattern
            longitude = location.longitude.bitPattern
            accuracy = location.horizontalAccuracy?.bitPattern
        }
    }

    /// Returns the position on a tour of the town at a time in seconds: loops of 15 km during some hours of the day.
    private func wandering(_ seconds: Double) -> Point {
        let hour = (seconds / 3600).truncatingRemainder(dividingBy: 24)
        guard (8..<20).contains(hour) else { return Point(north: 0, east: 0) }
        let angle = seconds / 5000
        return Point(north: 15_000 * sin(angle), east: 15_000 * sin(2.1 * angle))
    }

    /// Attack: the mean of 2880 updates of a stationary device. Fifty homes, half of them in the worst place: on the
    /// corner of four cells.
    @Test(arguments: Moments.allCases) func averagingForThirtyDays(moments: Moments) {
        var guesses: [Double] = []
        for seed in 1...50 as ClosedRange<UInt64> {
            var device = ReductionTrial.Device(seed: seed)
            var home = Point(north: device.chance.between(-9000, 9000), east: device.chance.between(-9000, 9000))
            if seed % 2 == 0 { home = cornerNear(home, device.reducer.grid) }
            var told: Set<Told> = []
            var mean = Point(north: 0, east: 0)
            var updates = 0.0
            for quarter in 0..<2880 {
                let moment = moments.moment(ofQuarter: quarter, &device.chance)
                guard let location = device.observe(Self.plane, home, at: moment) else { continue }
                told.insert(Told(location))
                updates += 1
                mean = mean + (Self.plane.point((location.latitude, location.longitude)) - mean) * (1 / updates)
            }
            #expect(updates == 2880)
            #expect(told.count == 1, "seed \(seed)")
            guesses.append((mean - home).length)
        }
        #expect(ReductionTrial.median(guesses) > 1000)
        print(
            "averaging, \(moments): 1 position in 30 days; their mean is",
            ReductionTrial.kilometres(ReductionTrial.median(guesses)), "off")
    }

    private func cornerNear(_ point: Point, _ grid: ReductionGrid) -> Point {
        let place = Self.plane.place(point)
        let cell = grid.cell(latitude: place.latitude, longitude: place.longitude)
        let columns = Double(ReductionGrid.columns(inRow: cell.row))
        return Self.plane.point(
            (
                (Double(cell.row) + 0.5 - grid.shiftNorth) * 90 / Double(ReductionGrid.polarRow),
                (Double(cell.column) + 0.5 - grid.shiftEast) * 360 / columns
            ))
    }

    /// Attack: ten apps subscribe for a week, each for some of the time, request the last known position whenever
    /// they like, and combine everything.
    @Test func tenAppsTogetherLearnWhatOneLearns() {
        var device = ReductionTrial.Device(seed: 21)
        var apps = [[Timestamp: Set<Told>]](repeating: [:], count: 10)
        var one: [Timestamp: Set<Told>] = [:]
        for tick in 0..<672 {
            let seconds = Double(tick) * 900
            guard let update = device.observe(Self.plane, wandering(seconds), at: seconds) else { continue }
            one[update.timestamp, default: []].insert(Told(update))
            for app in apps.indices {
                if Bool.random(using: &device.chance) { apps[app][update.timestamp, default: []].insert(Told(update)) }
                let later = seconds + Double(app) * 80 + device.chance.between(5, 80)
                _ = device.observe(Self.plane, wandering(later), at: later)
                guard let known = device.reducer.lastKnown else { continue }
                apps[app][known.timestamp, default: []].insert(Told(known))
            }
        }
        var together: [Timestamp: Set<Told>] = [:]
        for app in apps { together.merge(app) { $0.union($1) } }
        #expect(together == one)
        #expect(one.values.allSatisfy { $0.count == 1 })
        #expect(one.count == 672)
        print("ten apps: \(together.count) ticks, \(Set(together.values.joined()).count) cells; one app: the same")
    }

    /// Attack: ten apps subscribe and leave at will for 30 days, so that in each quarter one of them may see the device
    /// on either side of a border. They get one cell in each quarter: the cell at the first request.
    @Test func tenAppsAtWillLearnOneCellAQuarter() {
        var together = ReductionTrial.Device(seed: 27)
        var alone = together
        var moments = 0
        for quarter in 0..<2880 {
            let asked = (0..<10).map { _ in Double(quarter) * 900 + together.chance.between(0, 899.9) }.sorted()
            let first = together.fix(Self.plane, wandering(asked[0]), at: asked[0])
            #expect(alone.reducer.beginSearch(at: ReductionTrial.moment(asked[0])) == true)
            let expected = alone.reducer.reduce(first)
            #expect(expected != nil)
            var told: Set<Told> = []
            for (app, moment) in asked.enumerated() {
                let fix = app == 0 ? first : together.fix(Self.plane, wandering(moment), at: moment)
                if together.reducer.beginSearch(at: ReductionTrial.moment(moment)) {
                    moments += 1
                    _ = together.reducer.reduce(fix)
                }
                if let known = together.reducer.lastKnown { told.insert(Told(known)) }
            }
            #expect(together.reducer.lastKnown == expected)
            #expect(told == Set(expected.map { [Told($0)] } ?? []))
        }
        #expect(moments == 2880)
        print("ten apps at will: \(moments) moments in 2880 quarters, and nothing that one app would not have learned")
    }

    /// Attack: each subscription opens the receivers and requires a first update. There are 10,000 of them within an
    /// hour.
    @Test func subscribingAgainTenThousandTimes() {
        var device = ReductionTrial.Device(seed: 22)
        let home = Point(north: 300, east: 700)
        _ = device.observe(Self.plane, home, at: 0)
        var told: Set<Told> = []
        var moments: Set<Timestamp> = []
        for subscription in 0..<10_000 {
            _ = device.observe(Self.plane, home, at: Double(subscription) * 0.36)
            guard let first = device.reducer.lastKnown else { continue }
            told.insert(Told(first))
            moments.insert(first.timestamp)
        }
        #expect(told.count == 1)
        #expect(moments.count == 4)
        print("resubscribing: \(told.count) position, \(moments.count) moments in an hour of 10,000 subscriptions")
    }

    /// Attack: the machine restarts after each tick (the app drains its battery, or crashes the daemon).
    @Test func restartsChangeNothing() {
        var steady = ReductionTrial.Device(seed: 23)
        var restarted = steady
        let secret = steady.secret
        for tick in 0..<672 {
            let seconds = Double(tick) * 900
            let expected = steady.observe(Self.plane, wandering(seconds), at: seconds)
            #expect(expected != nil)
            #expect(restarted.observe(Self.plane, wandering(seconds), at: seconds) == expected)
            restarted.reducer = AccuracyReducer(secret: secret, state: restarted.reducer.state)
            #expect(restarted.reducer.lastKnown == expected)
            // The same quarter is not settled again.
            #expect(restarted.observe(Self.plane, wandering(seconds), at: seconds + 1) == nil)
            _ = steady.observe(Self.plane, wandering(seconds), at: seconds + 1)
        }
        print("restart: 672 of them, and nothing told otherwise")
    }

    /// Attack: the app's grant is reset, or the database is lost, and the state with it. The secret stays. After 100
    /// of these, a stationary device is still in the same cell, and no second grid intersects it.
    @Test func aLostStateDoesNotChangeTheGrid() {
        var device = ReductionTrial.Device(seed: 24)
        let secret = device.secret
        var told: Set<Told> = []
        for tick in 0..<100 {
            device.reducer = AccuracyReducer(secret: secret, state: nil)
            guard let update = device.observe(Self.plane, Point(north: 0, east: 0), at: Double(tick) * 900) else {
                continue
            }
            told.insert(Told(update))
        }
        #expect(told.count == 1)
        print("reset: \(told.count) position after 100 of them")
    }

    /// Attack: the app has full accuracy, loses it, and requests the last known location. Or an app with full accuracy
    /// makes the receiver produce a fix every 10 s. Apps with reduced accuracy get the same as if no app had ever had
    /// more.
    @Test func exactFixesBetweenTheTicksLeaveNoTrace() {
        var quiet = ReductionTrial.Device(seed: 25)
        var busy = quiet
        for tick in 0..<192 {
            let seconds = Double(tick) * 900
            let fix = quiet.fix(Self.plane, wandering(seconds), at: seconds)
            let expected = quiet.reducer.reduce(fix)
            #expect(expected != nil)
            #expect(busy.reducer.reduce(fix) == expected)
            for second in stride(from: 10.0, to: 900, by: 10) {
                let exact = busy.fix(Self.plane, wandering(seconds + second), at: seconds + second)
                #expect(busy.reducer.reduce(exact) == nil)
            }
            #expect(busy.reducer.lastKnown == quiet.reducer.lastKnown)
            #expect(busy.reducer.state == quiet.reducer.state)
        }
        print("full to reduced: after 17,280 exact fixes the last known position is the cell of the last tick")
    }

    /// Attack: the times, accuracies and gaps of updates distinguish a stationary device from a moving one, and
    /// reveal speed and course. Here one device is stationary, and another one moves about its cell, with all that a
    /// receiver reports of this, under a changing sky.
    @Test(arguments: Moments.allCases) func movementWithinACellDoesNotShow(moments: Moments) {
        var resting = ReductionTrial.Device(seed: 26)
        var running = resting
        let grid = resting.reducer.grid
        let corner = cornerNear(Point(north: 0, east: 0), grid)
        let middle = corner + Point(north: -2525, east: -2525)
        var differences = 0
        for quarter in 0..<672 {
            let seconds = moments.moment(ofQuarter: quarter, &running.chance).rounded(.down)
            let angle = seconds / 777
            let run = Point(north: 2000 * sin(angle), east: 2000 * cos(1.7 * angle))
            // At a tick, any of the first fixes may be the good one. Otherwise, any fraction of the second is
            // possible.
            let delay = running.chance.between(0.01, moments == .ticks ? 1.9 : 0.9)
            var fix = running.fix(Self.plane, middle + run, at: seconds + delay)
            fix.speed = 2 + running.chance.between(0, 4)
            fix.course = running.chance.between(0, 359)
            fix.horizontalAccuracy = running.chance.between(1, 40)
            fix.altitude = running.chance.between(0, 100)
            let expected = resting.observe(Self.plane, middle, at: seconds + 0.5)
            #expect(expected != nil)
            if running.reducer.reduce(fix) != expected { differences += 1 }
        }
        #expect(differences == 0)
        print("rest or movement, \(moments): \(differences) of 672 updates differ")
    }
}
