import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct RegionMonitorTests {
    /// Returns a monitor of a circle around `origin`.
    private func monitor(radius: Double = 200, _ state: RegionState = .unknown) -> RegionMonitor {
        let centre = fix(0)
        return RegionMonitor(
            CircularRegion(
                identifier: "here", latitude: centre.latitude, longitude: centre.longitude, radius: radius),
            state: state)
    }

    /// Returns the changes that a monitor reports for a track of seconds and metres east of the centre.
    private func changes(
        _ monitor: RegionMonitor, _ track: [(Double, Double)], accuracy: Double? = 5
    ) -> [RegionMonitor.Change] {
        var monitor = monitor
        return track.compactMap { monitor.observe(fix($0, east: $1, accuracy: accuracy)) }
    }

    // MARK: The initial state

    @Test(arguments: [(199.9, RegionState.inside), (200.1, .outside)])
    func twoFixesThatAgreeDetermineTheState(metres: Double, state: RegionState) {
        var monitor = monitor()
        #expect(monitor.observe(fix(0, east: metres)) == nil)
        #expect(monitor.state == .unknown)
        #expect(monitor.observe(fix(1, east: metres)) == .determined(state))
        #expect(monitor.state == state)
    }

    @Test func fixesThatDisagreeDoNot() {
        let track = (0..<10).map { (Double($0), $0.isMultiple(of: 2) ? 150.0 : 250) }
        #expect(changes(monitor(), track).isEmpty)
    }

    // MARK: Crossings

    @Test(arguments: [(19.9, false), (20, true)])
    func leavingCountsTwentySecondsBeyondTheBorder(seconds: Double, counts: Bool) {
        #expect(changes(monitor(.inside), [(0, 251), (seconds, 251)]) == (counts ? [.crossed(.outside)] : []))
    }

    @Test(arguments: [(19.9, false), (20, true)])
    func enteringCountsTwentySecondsBeyondTheBorder(seconds: Double, counts: Bool) {
        #expect(changes(monitor(.outside), [(0, 149), (seconds, 149)]) == (counts ? [.crossed(.inside)] : []))
    }

    @Test(arguments: [(nil, 250.0), (5.0, 250), (50, 250), (80, 280)])
    func leavingCountsFiftyMetresOrTheAccuracyBeyondTheBorder(accuracy: Double?, border: Double) {
        for (metres, counts) in [(border - 0.1, false), (border + 0.1, true)] {
            let changes = changes(monitor(.inside), [(0, metres), (30, metres)], accuracy: accuracy)
            #expect(changes == (counts ? [.crossed(.outside)] : []))
        }
    }

    @Test(arguments: [(nil, 150.0), (5.0, 150), (50, 150), (80, 120)])
    func enteringCountsFiftyMetresOrTheAccuracyBeyondTheBorder(accuracy: Double?, border: Double) {
        for (metres, counts) in [(border + 0.1, false), (border - 0.1, true)] {
            let changes = changes(monitor(.outside), [(0, metres), (30, metres)], accuracy: accuracy)
            #expect(changes == (counts ? [.crossed(.inside)] : []))
        }
    }

    @Test(arguments: [(60.0, 5.0, 30.0), (60, 59, 30), (20, 5, 10), (20, 45, 10), (150, 100, 75)])
    func aSmallRegionIsEnteredHalfWayToItsCentre(radius: Double, accuracy: Double, border: Double) {
        for (metres, counts) in [(border + 0.1, false), (border - 0.1, true)] {
            let changes = changes(monitor(radius: radius, .outside), [(0, metres), (30, metres)], accuracy: accuracy)
            #expect(changes == (counts ? [.crossed(.inside)] : []))
        }
    }

    @Test func aFixThatIsNotBeyondCountsAnew() {
        #expect(changes(monitor(.inside), [(0, 251), (10, 249), (15, 251), (30, 251)]).isEmpty)
        #expect(changes(monitor(.inside), [(0, 251), (10, 249), (15, 251), (35, 251)]) == [.crossed(.outside)])
    }

    @Test func thereAndBackAreTwoCrossings() {
        let track = stride(from: 0.0, through: 2000, by: 10).map { ($0, $0 < 1000 ? $0 : 2000 - $0) }
        #expect(
            changes(monitor(), track) == [.determined(.inside), .crossed(.outside), .crossed(.inside)])
    }

    /// The device is on the border, with the errors of a receiver.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func noiseOnTheBorderCrossesNothing(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for state in [RegionState.inside, .outside] {
            var monitor = monitor(state)
            for second in 0..<5000 {
                let (a, b) = random.normals()
                let scatter = random.unit() < 0.01 ? 60.0 : 8
                let change = monitor.observe(fix(Double(second), north: scatter * a, east: 200 + scatter * b))
                #expect(change == nil, "seed \(seed)")
            }
        }
    }

    @Test func aFixThatCannotTellInsideFromOutsideIsNoEvidence() {
        // A circle of 60 m, and fixes that may be off by 61 m.
        #expect(changes(monitor(radius: 60), [(0, 0), (1, 0), (2, 100)], accuracy: 61).isEmpty)
        #expect(changes(monitor(radius: 60, .outside), [(0, 0), (30, 0)], accuracy: 61).isEmpty)
        #expect(changes(monitor(radius: 60), [(0, 200), (1, 200)], accuracy: 61) == [.determined(.outside)])
        // The evidence of good fixes is not discarded either.
        var monitor = monitor(radius: 60, .inside)
        #expect(monitor.observe(fix(0, east: 120)) == nil)
        #expect(monitor.observe(fix(10, east: 60, accuracy: 500)) == nil)
        #expect(monitor.observe(fix(20, east: 120)) == .crossed(.outside))
    }

    @Test func aClockThatIsPutBackDelaysACrossingByTheDwellTimeAtMost() {
        let track = [(10_000.0, 300.0), (10_010, 300), (0, 300), (19, 300), (20, 300)]
        var monitor = monitor(.inside)
        let times = track.filter { monitor.observe(fix($0.0, east: $0.1)) != nil }.map(\.0)
        #expect(times == [20])
    }

    @Test(arguments: [(0.0, 180.0), (90, 0), (-89.999, 20)])
    func regionsMayBeAnywhere(latitude: Double, longitude: Double) {
        let plane = LocalPlane(latitude: latitude, longitude: longitude)
        var monitor = RegionMonitor(
            CircularRegion(identifier: "there", latitude: latitude, longitude: longitude, radius: 200))
        var changes: [RegionMonitor.Change] = []
        for second in 0..<200 {
            let place = plane.place(north: 0, east: Double(second) * 5 - 500)
            let location = Location(
                timestamp: Timestamp(millisecondsSince1970: Int64(second) * 1000), latitude: place.latitude,
                longitude: place.longitude)
            if let change = monitor.observe(location) { changes.append(change) }
        }
        #expect(changes == [.determined(.outside), .crossed(.inside), .crossed(.outside)])
    }

    // MARK: The time to the next fix

    @Test(arguments: [
        (200.0, 10.0), (0, 10), (1990, 10), (2010, 30), (3790, 30), (3810, 60), (7390, 60), (7410, 120), (18_190, 120),
        (18_210, 300), (500_000, 300),
    ])
    func theNextFixIsDueByTheDistanceToTheBorder(metres: Double, seconds: Double) {
        let state: RegionState = metres <= 200 ? .inside : .outside
        #expect(monitor(state).interval(from: fix(0, east: metres)) == seconds)
        #expect(monitor(state).interval(from: fix(0, east: metres, speed: 20)) == seconds)
    }

    @Test(arguments: [(30.0, 120.0), (37, 120), (38, 60), (75, 60), (76, 30), (250, 10)])
    func twiceTheSpeedIsPlausible(speed: Double, seconds: Double) {
        #expect(monitor(.outside).interval(from: fix(0, east: 9210, speed: speed)) == seconds)
    }

    @Test(arguments: [(0.7, 30.0), (0.71, 10)])
    func aStationaryDeviceNeedsAFixEvery30Seconds(speed: Double, seconds: Double) {
        #expect(monitor(.inside).interval(from: fix(0, speed: speed)) == seconds)
        #expect(monitor(.outside).interval(from: fix(0, east: 9200, speed: speed)) == 120)
    }

    @Test func anUnsettledStateNeedsAFixSoon() {
        #expect(monitor(.inside).interval(from: nil) == 10)
        #expect(monitor().interval(from: fix(0, east: 50_000, speed: 0)) == 10)
        var leaving = monitor(.inside)
        _ = leaving.observe(fix(0, east: 260, speed: 0))
        #expect(leaving.interval(from: fix(0, east: 260, speed: 0)) == 10)
    }
}
