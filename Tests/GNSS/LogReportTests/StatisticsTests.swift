import LocationModel
import TestSupport
import Testing

@testable import LogReport

struct StatisticsTests {
    @Test(arguments: [(0.0, 0.0), (59, 18), (-33.9, 151.2), (89.9999, -120), (-90, 0), (45, 179.9999), (0.001, -180)])
    func placesAreAsFarApartAsOnTheEllipsoid(_ latitude: Double, _ longitude: Double) {
        let place = SurfacePoint(latitude: latitude, longitude: longitude)
        for step in [0.00001, 0.001, 0.01] {
            let (latitude2, longitude2) = (latitude + (latitude > 0 ? -step : step), longitude + step)
            let exact = Ellipsoid.wgs84.distance(
                fromLatitude: latitude, longitude: longitude, toLatitude: latitude2, longitude: longitude2)
            let distance = place.distance(to: SurfacePoint(latitude: latitude2, longitude: longitude2))
            #expect(abs(distance - exact) < 0.001 + exact * 1e-6)
        }
        #expect(abs(place.coordinates.latitude - latitude) < 1e-9)
    }

    @Test func distancesAroundTheWorldAreWithinFourPerMille() {
        let place = SurfacePoint(latitude: 51.5, longitude: -0.1)
        for (latitude, longitude) in [(40.7, -74.0), (-33.9, 151.2), (35.7, 139.7)] {
            let exact = Ellipsoid.wgs84.distance(
                fromLatitude: 51.5, longitude: -0.1, toLatitude: latitude, longitude: longitude)
            #expect(abs(place.distance(to: SurfacePoint(latitude: latitude, longitude: longitude)) / exact - 1) < 0.004)
        }
    }

    @Test func offsetsPointEastAndNorth() {
        for (latitude, longitude) in [(59.0, 18.0), (-45, 179.99999), (0, 0)] {
            let plane = SurfacePoint.Plane(at: SurfacePoint(latitude: latitude, longitude: longitude))
            let north = plane.offset(to: SurfacePoint(latitude: latitude + 0.001, longitude: longitude))
            #expect(abs(north.east) < 0.001 && abs(north.north - 111) < 1)
            let east = plane.offset(to: SurfacePoint(latitude: latitude, longitude: longitude + 0.001))
            #expect(east.east > 50 && abs(east.north) < 0.01)
            let back = plane.place(at: Offset(east: 100, north: -50)).coordinates
            let again = plane.offset(to: SurfacePoint(latitude: back.latitude, longitude: back.longitude))
            #expect(abs(again.east - 100) < 0.001 && abs(again.north + 50) < 0.001)
        }
    }

    @Test func theOutlineIsWithinThreeTolerancesOfEachPoint() {
        var random = SeededRandom(seed: 7)
        var outline = Outline()
        var points: [SurfacePoint] = []
        var (latitude, longitude) = (59.0, 18.0)
        for _ in 0..<40_000 {
            latitude += Double.random(in: -1e-4...1.1e-4, using: &random)
            longitude += Double.random(in: -1e-4...1.1e-4, using: &random)
            let place = SurfacePoint(latitude: latitude, longitude: longitude)
            points.append(place)
            outline.add(Outline.Point(place: place, time: nil, accuracy: .nan, isStart: false))
        }
        let kept = outline.points
        #expect(kept.count <= Outline.maximumPoints + 1)
        // The points between two that were kept, in order.
        var next = 0
        for (a, b) in zip(kept, kept.dropFirst()) {
            let plane = SurfacePoint.Plane(at: a.place)
            let end = plane.offset(to: b.place)
            while points[next] != b.place {
                let distance = Self.distance(of: plane.offset(to: points[next]), toLineTo: end)
                #expect(distance <= 3 * outline.tolerance)
                next += 1
            }
        }
        #expect(points.count - next == 1, "the last point is kept")
    }

    private static func distance(of point: Offset, toLineTo end: Offset) -> Double {
        let square = end.length * end.length
        let share = square == 0 ? 0 : (point.east * end.east + point.north * end.north) / square
        return (point - end * min(1, max(0, share))).length
    }

    @Test func aStraightTrackHasTwoPoints() {
        var outline = Outline()
        for step in 0..<1000 {
            let place = SurfacePoint(latitude: 59 + Double(step) * 1e-5, longitude: 18)
            outline.add(Outline.Point(place: place, time: nil, accuracy: .nan, isStart: false))
        }
        #expect(outline.points.count == 2)
    }

    @Test func aTrackOfNothingButInterruptionsIsBounded() {
        var outline = Outline()
        for step in 0..<20_000 {
            let place = SurfacePoint(latitude: Double(step % 179) - 89, longitude: Double(step % 359))
            outline.add(Outline.Point(place: place, time: nil, accuracy: .nan, isStart: true))
        }
        #expect(outline.points.count <= Outline.maximumPoints + 1)
    }

    @Test func aTimelineKeepsMeansAndExtremesWhileItsBucketsDouble() {
        var timeline = LogTimeline()
        for second in 0..<100_000 { timeline.update(at: Int64(second) * 1000) { $0.add(.speed, Double(second % 10)) } }
        #expect(timeline.buckets.count <= LogTimeline.maximumBuckets)
        #expect(timeline.width == 25_600)
        let whole = timeline.reduced(to: 1)
        #expect(whole.buckets.count == 1)
        #expect(whole.buckets[0][.speed].low == 0 && whole.buckets[0][.speed].high == 9)
        #expect(whole.buckets[0][.speed].mean == 4.5)
    }

    @Test func gapsAreLongerThanThreeMedians() {
        var intervals = Intervals()
        for second in [0, 1, 2, 3, 6, 7, 8, 12, 13, 14] { intervals.add(Int64(second) * 1000) }
        #expect(intervals.median == 1000)
        #expect(intervals.gapCount == 1)
        #expect(intervals.gaps == [Intervals.Gap(start: 8000, end: 12_000)])
        #expect(intervals.spread! == (1000, 3000))
    }

    @Test func aSecondIsNoGapAtTenHertz() {
        var intervals = Intervals()
        for tenth in 0..<100 where !(50..<59).contains(tenth) { intervals.add(Int64(tenth) * 100) }
        #expect(intervals.median == 100 && intervals.gapCount == 0)
    }

    @Test func theLongestGapsAreListed() {
        var intervals = Intervals()
        var time: Int64 = 0
        for step in 1...10_000 {
            time += step % 100 == 0 ? Int64(step) * 1000 : 1000
            intervals.add(time)
        }
        #expect(intervals.gapCount == 100)
        #expect(intervals.gaps.count == Intervals.listedGaps)
        #expect(intervals.gaps.map(\.milliseconds).min() == 8_100_000)
    }

    private func fix(_ second: Int64, _ latitude: Double, speed: Double? = nil) -> LogFix {
        var fix = LogFix(time: second * 1000, latitude: latitude, longitude: 18)
        fix.speed = speed
        return fix
    }

    private func judge(_ outliers: inout Outliers, _ fix: LogFix) -> Outliers.Judgement {
        outliers.judge(fix, at: fix.time!, SurfacePoint(latitude: fix.latitude, longitude: fix.longitude))
    }

    @Test func aPositionOutOfReachIsAnOutlier() {
        var outliers = Outliers()
        #expect(judge(&outliers, fix(0, 59, speed: 1)) == .plausible)
        #expect(judge(&outliers, fix(1, 59.01, speed: 1)) == .outlier)
        #expect(judge(&outliers, fix(2, 59, speed: 1)) == .plausible)
        #expect(judge(&outliers, fix(100, 59.01, speed: 1)) == .plausible, "in 98 s it can be reached")
        #expect(outliers.farthest.count == 1)
    }

    @Test func positionsThatAgreeAreTheNewPlace() {
        var outliers = Outliers()
        _ = judge(&outliers, fix(0, 59, speed: 1))
        let judgements = (1...5).map { judge(&outliers, fix($0, 60, speed: 1)) }
        #expect(judgements == [.outlier, .outlier, .outlier, .moved, .plausible])
    }

    @Test func outliersInAllDirectionsAreNoNewPlace() {
        var outliers = Outliers()
        _ = judge(&outliers, fix(0, 59, speed: 1))
        for second in 1...20 {
            #expect(judge(&outliers, fix(Int64(second), 30 + Double(second), speed: 1)) == .outlier)
        }
    }

    @Test func withoutASpeedAnAeroplaneIsPlausible() {
        var outliers = Outliers()
        for second in 0..<100 {
            #expect(judge(&outliers, fix(Int64(second), 59 + Double(second) * 0.0022)) == .plausible)
        }
    }
}
