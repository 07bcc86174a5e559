import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct StationaryDetectorTests {
    /// Returns the changes that a detector reports, with their times in seconds.
    private func changes(_ activity: ActivityType = .other, _ fixes: some Sequence<Location>) throws -> [Change] {
        var detector = try #require(StationaryDetector(activity: activity))
        return fixes.compactMap { fix in
            detector.observe(fix).map { Change($0, Double(fix.timestamp.millisecondsSince1970) / 1000) }
        }
    }

    private struct Change: Equatable {
        let change: StationaryDetector.Change
        let seconds: Double

        init(_ change: StationaryDetector.Change, _ seconds: Double) {
            self.change = change
            self.seconds = seconds
        }
    }

    /// Returns a detector of a device that has been stationary for 300 s.
    private func atRest(_ activity: ActivityType = .other) throws -> StationaryDetector {
        var detector = try #require(StationaryDetector(activity: activity))
        for second in 0...300 { _ = detector.observe(fix(Double(second), speed: 0)) }
        try #require(detector.isStationary)
        return detector
    }

    // MARK: Becoming stationary

    @Test(arguments: [
        (ActivityType.automotiveNavigation, 120.0), (.fitness, 60), (.otherNavigation, 120), (.other, 180),
    ])
    func restIsFoundAfterTheActivitysDwellTime(activity: ActivityType, dwell: Double) throws {
        #expect(try changes(activity, (0...1000).map { fix(Double($0), speed: 0) }) == [Change(.stopped, dwell)])
    }

    @Test func airborneIsNeverStationary() {
        #expect(StationaryDetector(activity: .airborne) == nil)
    }

    @Test(arguments: [
        (ActivityType.automotiveNavigation, 1.5), (.fitness, 0.5), (.otherNavigation, 1), (.other, 0.7),
    ])
    func aSpeedAboveTheThresholdIsNotStationary(activity: ActivityType, threshold: Double) throws {
        #expect(try changes(activity, (0...1000).map { fix(Double($0), speed: threshold) }).count == 1)
        #expect(try changes(activity, (0...1000).map { fix(Double($0), speed: threshold + 0.01) }).isEmpty)
    }

    @Test func whereTheSpeedIsUnknownThePositionsTell() throws {
        #expect(try changes(.other, (0...1000).map { fix(Double($0)) }) == [Change(.stopped, 180)])
        #expect(try changes(.other, (0...1000).map { fix(Double($0), north: Double($0)) }).isEmpty)
    }

    /// After 100 s the device is this many metres away. Beyond the circle, the time starts again from there.
    @Test(arguments: [
        (nil, 14.9, 180), (nil, 15.1, 281), (5.0, 14.9, 180), (5, 15.1, 281), (7.6, 15.1, 180), (20, 39.9, 180),
        (20, 40.1, 281),
    ])
    func allFixesAreWithinFifteenMetresOrTwiceTheAccuracy(accuracy: Double?, metres: Double, stopped: Double) throws {
        let fixes = (0...400).map { fix(Double($0), east: $0 <= 100 ? 0 : metres, accuracy: accuracy, speed: 0) }
        #expect(try changes(.other, fixes) == [Change(.stopped, stopped)])
    }

    @Test(arguments: [(4, 180.0), (5, 286)])
    func someStrayFixesDoNotEndARest(strays: Int, stopped: Double) throws {
        let fixes = (0...400).map { second in
            // Outliers in all directions, so that they do not form a place of their own.
            (101...100 + strays).contains(second)
                ? fix(Double(second), north: second.isMultiple(of: 2) ? 60 : -60, east: Double(second), speed: 0)
                : fix(Double(second), speed: 0)
        }
        #expect(try changes(.other, fixes) == [Change(.stopped, stopped)])
    }

    @Test func aFixThatMayBeOffByMoreThanAHundredMetresIsNoEvidenceOfRest() throws {
        #expect(try changes(.other, (0...1000).map { fix(Double($0), accuracy: 100) }).count == 1)
        #expect(try changes(.other, (0...1000).map { fix(Double($0), accuracy: 101) }).isEmpty)
    }

    @Test func fixesMayBeFarApart() throws {
        #expect(try changes(.other, [fix(0), fix(60), fix(120), fix(180)]) == [Change(.stopped, 180)])
        #expect(try changes(.other, [fix(0), fix(900)]) == [Change(.stopped, 900)])
    }

    // MARK: Setting off

    @Test(arguments: [(nil, 65.0), (5.0, 65), (10, 70), (20, 100), (50, 250), (1000, 5000)])
    func leavingTheCircleTwiceRunningResumes(accuracy: Double?, metres: Double) throws {
        for speed in [nil, 1.4] {
            var inside = try atRest()
            var outside = inside
            for second in 301...302 {
                let seconds = Double(second)
                let change = outside.observe(fix(seconds, east: metres + 0.1, accuracy: accuracy, speed: speed))
                #expect(change == (second == 302 ? .setOff : nil))
                #expect(inside.observe(fix(seconds, east: metres - 0.1, accuracy: accuracy, speed: speed)) == nil)
            }
            #expect(!outside.isStationary)
            #expect(inside.isStationary)
        }
    }

    @Test func oneFixWithinTheCircleCountsAnew() throws {
        var detector = try atRest()
        for pair in 0..<100 {
            #expect(detector.observe(fix(301 + Double(2 * pair), east: 80, speed: 1)) == nil)
            #expect(detector.observe(fix(302 + Double(2 * pair), east: 10, speed: 1)) == nil)
        }
        #expect(detector.isStationary)
    }

    @Test func fixesThatTellOfNoMotionResumeOnlyThreeRunning() throws {
        var detector = try atRest()
        #expect(detector.observe(fix(301, east: 80, speed: 0.1)) == nil)
        #expect(detector.observe(fix(302, east: -80, speed: 0.1)) == nil)
        #expect(detector.observe(fix(303, speed: 0.1)) == nil)
        for second in 304...305 { #expect(detector.observe(fix(Double(second), east: 80, speed: 0.1)) == nil) }
        #expect(detector.observe(fix(306, east: 80, speed: 0.1)) == .setOff)
    }

    @Test func itIsUndecidedAfterAFixThatLooksLikeSettingOff() throws {
        var detector = try atRest()
        #expect(!detector.mayBeMoving)
        _ = detector.observe(fix(301, east: 80, speed: 0))
        #expect(detector.mayBeMoving)
        _ = detector.observe(fix(302, speed: 0))
        #expect(!detector.mayBeMoving)
        _ = detector.observe(fix(303, east: 20, speed: 1.4))
        #expect(detector.mayBeMoving)
        _ = detector.observe(fix(304, east: 20, speed: 0.2))
        #expect(!detector.mayBeMoving)
        for second in 305...306 { _ = detector.observe(fix(Double(second), east: 80, speed: 2)) }
        #expect(!detector.mayBeMoving)
    }

    @Test func restIsFoundAgainWhereTheDeviceHasGone() throws {
        var detector = try atRest()
        var changes: [Change] = []
        for second in 301...700 {
            let moved = fix(Double(second), north: min(Double(second - 300) * 10, 2000), speed: second < 500 ? 10 : 0)
            if let change = detector.observe(moved) { changes.append(Change(change, Double(second))) }
        }
        #expect(changes == [Change(.setOff, 308), Change(.stopped, 680)])
    }

    /// 8 h of fixes 1 s apart, from a receiver that reports no speed. The errors wander as a receiver's do.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func driftOfADeviceAtRestDoesNotResumeIt(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var error = (north: 0.0, east: 0.0)
        let correlation = 1 - 1 / 300.0
        let fixes = (0..<28_800).map { second in
            let (a, b) = random.normals()
            let innovation = 5 * (1 - correlation * correlation).squareRoot()
            error = (correlation * error.north + innovation * a, correlation * error.east + innovation * b)
            return fix(Double(second), north: error.north, east: error.east, accuracy: 7.5)
        }
        let changes = try changes(.other, fixes)
        #expect(changes.count == 1, "seed \(seed)")
        #expect(changes.first.map { $0.change == .stopped && $0.seconds <= 240 } ?? false, "seed \(seed)")
    }

    // MARK: Irregularities of receivers

    @Test func aClockThatIsPutBackDelaysRestByTheDwellTimeAtMost() throws {
        let fixes = (0...170).map { fix(10_000 + Double($0)) } + (0...400).map { fix(Double($0)) }
        #expect(try changes(.other, fixes) == [Change(.stopped, 180)])
    }

    @Test func theFarSideOfTheEarthIsNotHere() throws {
        var detector = try #require(StationaryDetector(activity: .other))
        for second in 0...303 {
            let location = Location(
                timestamp: Timestamp(millisecondsSince1970: Int64(second) * 1000), latitude: 0,
                longitude: second <= 300 ? 8.5 : -171.5)
            let change = detector.observe(location)
            #expect(change == [180: .stopped, 302: .setOff][second])
        }
    }

    @Test(arguments: [(90.0, 0.0), (-90, 17), (89.9999, 180), (0, 180), (0, -180), (52, 179.99999)])
    func restIsFoundAtEveryPlace(latitude: Double, longitude: Double) throws {
        let plane = LocalPlane(latitude: latitude, longitude: longitude)
        let fixes = (0...400).map { second in
            // Around the place at 5 m; from 200 s on, walking away at 2 m/s.
            let place =
                second <= 200
                ? plane.place(north: [5, 0, -5, 0][second % 4], east: [0, 5, 0, -5][second % 4])
                : plane.place(north: 2 * Double(second - 200), east: 0)
            return Location(
                timestamp: Timestamp(millisecondsSince1970: Int64(second) * 1000), latitude: place.latitude,
                longitude: place.longitude)
        }
        let changes = try changes(.other, fixes)
        #expect(changes.map(\.change) == [.stopped, .setOff])
        #expect(changes.first?.seconds == 180)
        // 65 m, plus the distance that the mean has followed.
        #expect((234.0...238).contains(changes.last?.seconds ?? 0))
    }

    @Test func invalidNumbersAreIgnored() throws {
        var detector = try #require(StationaryDetector(activity: .other))
        for second in 0...1000 {
            var location = fix(Double(second), accuracy: .nan, speed: .nan)
            location.latitude = .nan
            #expect(detector.observe(location) == nil)
        }
    }
}
