import Testing

@testable import Positioning

@Suite struct DistanceTests {
    /// Expected values: GeographicLib's inverse geodesic on WGS 84, rounded to 0.1 mm.
    @Test(arguments: [
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (0, 0, 0, 1, 111_319.4908),
        (0, 0, 1, 0, 110_574.3886),
        (50, 2, 76, 5, 2_900_825.0348),
        (0, 179.5, 0, -179.5, 111_319.4908),
        (90, 0, -90, 0, 20_003_931.4586),
    ])
    func alongTheEllipsoid(lat1: Double, lon1: Double, lat2: Double, lon2: Double, expected: Double) {
        let now = Timestamp(millisecondsSince1970: 0)
        let a = Location(timestamp: now, latitude: lat1, longitude: lon1)
        let b = Location(timestamp: now, latitude: lat2, longitude: lon2)
        #expect(abs(a.distance(to: b) - expected) < 0.001)
        #expect(abs(b.distance(to: a) - expected) < 0.001)
    }
}
