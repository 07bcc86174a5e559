import LocationModel
import Testing

@testable import Positioning

@Suite struct VisitDetectorTests {
    private func told(_ detector: inout VisitDetector, _ fixes: some Sequence<Location>) -> [Visit] {
        var visits: [Visit] = []
        for fix in fixes { visits += detector.observe(fix) }
        return visits
    }

    private func seconds(_ timestamp: Timestamp?) -> Double? {
        timestamp.map { Double($0.millisecondsSince1970) / 1000 }
    }

    /// Returns a track that moves at 30 m/s until 1000 s, stops for some seconds, and moves on: a fix every 10 s.
    private func stop(seconds: Int) -> [Location] {
        stride(from: 0, through: 2000 + seconds, by: 10).map { second in
            let moving = second < 1000 ? second - 1000 : max(0, second - 1000 - seconds)
            return fix(Double(second), north: Double(moving) * 30)
        }
    }

    @Test func aVisitIsToldOnArrivalAndOnDeparture() throws {
        var detector = VisitDetector()
        let visits = told(&detector, stop(seconds: 600))
        try #require(visits.count == 2)
        #expect(visits.map { seconds($0.arrival) } == [1000, 1000])
        #expect(visits.map { seconds($0.departure) } == [nil, 1600])
        #expect(detector.current == nil)
        #expect(detector.lastSeen == nil)
    }

    @Test(arguments: [(290, 0), (300, 2)])
    func fiveMinutesAreAVisit(seconds: Int, count: Int) {
        var detector = VisitDetector()
        #expect(told(&detector, stop(seconds: seconds)).count == count)
    }

    @Test(arguments: [(99.9, 1), (100.1, 0)])
    func theCircleIsAHundredMetresAroundTheMean(metres: Double, count: Int) {
        var detector = VisitDetector()
        #expect(told(&detector, [fix(0), fix(300, east: metres)]).count == count)
    }

    @Test(arguments: [(299.0, 0), (300, 1)])
    func theStayBeginsWithItsFirstFix(second: Double, count: Int) {
        var detector = VisitDetector()
        #expect(told(&detector, [fix(0), fix(second)]).count == count)
    }

    @Test func aVisitIsAtTheMeanOfItsFixes() throws {
        var detector = VisitDetector()
        let visits = told(&detector, (0...30).map { fix(Double($0) * 10, north: $0.isMultiple(of: 2) ? 0 : 40) })
        let visit = try #require(visits.first)
        let centre = Location(timestamp: visit.arrival, latitude: visit.latitude, longitude: visit.longitude)
        #expect(abs(centre.distance(to: fix(0, north: 19.35))) < 0.1)
        #expect(visit.horizontalAccuracy == 100)
    }

    @Test func departureNeedsTwoFixesInARow() {
        var detector = VisitDetector(current: visit(), lastSeen: Timestamp(millisecondsSince1970: 900_000))
        for second in 0..<50 {
            #expect(detector.observe(fix(1000 + Double(second), north: second.isMultiple(of: 2) ? 150 : 0)).isEmpty)
        }
        #expect(detector.observe(fix(1100, north: 150)).isEmpty)
        #expect(detector.observe(fix(1120, north: 150)).map { seconds($0.departure) } == [1049])
    }

    @Test func aVisitOfAnEarlierRunGoesOn() {
        var detector = VisitDetector(current: visit(), lastSeen: Timestamp(millisecondsSince1970: 900_000))
        #expect(seconds(detector.lastSeen) == 900)
        #expect(told(&detector, [fix(2000), fix(3000)]).isEmpty)
        #expect(seconds(detector.lastSeen) == 3000)
        #expect(detector.current == visit())
    }

    @Test func aVisitThatEndedBetweenTwoRunsEndsWhenItWasLastSeen() {
        var detector = VisitDetector(current: visit(), lastSeen: Timestamp(millisecondsSince1970: 900_000))
        let visits = told(&detector, [fix(2000, east: 5000), fix(2120, east: 5000)])
        #expect(visits.map { seconds($0.arrival) } == [100])
        #expect(visits.map { seconds($0.departure) } == [900])
        // The next visit begins with the first fix elsewhere.
        #expect(detector.observe(fix(2300, east: 5000)).map { seconds($0.arrival) } == [2000])
    }

    @Test func aVisitThatEndedUnseenDoesNotEndAsItBegan() {
        var detector = VisitDetector(current: visit())
        let visits = told(&detector, [fix(2000, east: 5000), fix(2120, east: 5000)])
        #expect(visits.map { seconds($0.departure) } == [2120])
    }

    /// The device is near the border of the circle. The place is where most of the fixes are.
    @Test func stayingInOnePartOfThePlaceIsNotADeparture() {
        var detector = VisitDetector()
        var visits = told(&detector, (0...30).map { fix(Double($0) * 10) })
        visits += told(&detector, (31...1000).map { fix(Double($0) * 10, north: min(90, Double($0 - 30))) })
        visits += told(&detector, (1001...1100).map { fix(Double($0) * 10, north: 120) })
        #expect(visits.count == 1)
    }

    @Test func poorFixesMakeNoArrivalAndNoDeparture() {
        var detector = VisitDetector()
        #expect(told(&detector, (0...100).map { fix(Double($0) * 10, accuracy: 101) }).isEmpty)
        #expect(told(&detector, (101...200).map { fix(Double($0) * 10, accuracy: 100) }).count == 1)
        #expect(told(&detector, (201...300).map { fix(Double($0) * 10, north: 290, accuracy: 200) }).isEmpty)
        // They do not move the centre of a visit either.
        #expect(told(&detector, (301...400).map { fix(Double($0) * 10, north: -90) }).isEmpty)
        let visits = told(&detector, (401...402).map { fix(Double($0) * 10, north: 2000, accuracy: 200) })
        #expect(visits.map { seconds($0.departure) } == [4000])
    }

    @Test func aClockThatIsPutBackMakesNoVisitEndBeforeItBegan() {
        var detector = VisitDetector()
        let visits = told(&detector, [fix(10_000), fix(10_300), fix(0), fix(120, north: 500), fix(240, north: 500)])
        #expect(visits.map { seconds($0.arrival) } == [10_000, 10_000])
        #expect(visits.map { seconds($0.departure) } == [nil, 10_000])
    }

    private func visit() -> Visit {
        let here = fix(0)
        return Visit(
            latitude: here.latitude, longitude: here.longitude, horizontalAccuracy: 100,
            arrival: Timestamp(millisecondsSince1970: 100_000))
    }

    // MARK: Surroundings

    private func time(_ seconds: Double) -> Timestamp { fix(seconds).timestamp }

    @Test func aStayLastsAsLongAsItsSurroundings() {
        var detector = VisitDetector()
        #expect(detector.observe(fix(-600, north: 900)).isEmpty)
        #expect(detector.observe(fix(60)).isEmpty)
        #expect(detector.extendStay(from: time(0), until: time(299), certainUntil: time(299), beginsThen: true).isEmpty)
        let arrivals = detector.extendStay(from: time(0), until: time(301), certainUntil: time(301), beginsThen: true)
        #expect(arrivals.map(\.arrival) == [time(0)])
        #expect(
            detector.extendStay(from: time(0), until: time(7200), certainUntil: time(7200), beginsThen: true).isEmpty)
        #expect(detector.observe(fix(7300, north: 400)).isEmpty)
        let departures = detector.observe(fix(7330, north: 500))
        #expect(departures.first?.departure == time(7200))
    }

    /// Attack: an app that may have the location only while it is in use shows itself for a moment, and gets from the
    /// surroundings the time of the arrival, before it was in use.
    @Test func attackAnAppInUseGetsNoEarlierArrival() {
        var detector = VisitDetector()
        #expect(detector.observe(fix(10_000)).isEmpty)
        #expect(
            detector.extendStay(from: time(0), until: time(10_200), certainUntil: time(10_200), beginsThen: false)
                .isEmpty)
        let arrivals = detector.extendStay(
            from: time(0), until: time(10_301), certainUntil: time(10_301), beginsThen: false)
        #expect(arrivals.map(\.arrival) == [time(10_000)])
    }

    /// Attack: an app gets visits, or the user has theirs forgotten, during a stay, and the surroundings tell when it
    /// began.
    @Test func attackNoArrivalIsBeforeTheDetectorsFirstFix() {
        var detector = VisitDetector()
        #expect(detector.observe(fix(10_000)).isEmpty)
        let arrivals = detector.extendStay(
            from: time(0), until: time(10_301), certainUntil: time(10_000), beginsThen: true)
        #expect(arrivals.map(\.arrival) == [time(10_000)])
    }

    /// The device arrives, but its departure is not later than the last time that is certain.
    @Test func anUncertainTimeIsOnlyAnArrival() {
        var detector = VisitDetector()
        _ = detector.observe(fix(0))
        #expect(
            detector.extendStay(from: time(0), until: time(1000), certainUntil: time(0), beginsThen: true).count == 1)
        #expect(detector.lastSeen == time(0))
        _ = detector.extendStay(from: time(0), until: time(2000), certainUntil: time(1500), beginsThen: true)
        #expect(detector.lastSeen == time(1500))
    }

    /// The last fix was made before the device came to these surroundings, or it was a stray one.
    @Test func surroundingsOfAnotherPlaceExtendNothing() {
        var detector = VisitDetector()
        for second in stride(from: 0.0, through: 360, by: 60) { _ = detector.observe(fix(second)) }
        #expect(detector.current != nil)
        _ = detector.extendStay(from: time(400), until: time(2000), certainUntil: time(2000), beginsThen: true)
        #expect(detector.lastSeen == time(360))
        _ = detector.observe(fix(420, north: 300))
        _ = detector.extendStay(from: time(0), until: time(2000), certainUntil: time(2000), beginsThen: true)
        #expect(detector.lastSeen == time(360))
    }
}
