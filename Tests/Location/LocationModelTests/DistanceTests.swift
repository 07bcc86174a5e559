import Glibc
import TestSupport
import Testing

@testable import LocationModel

@Suite struct DistanceTests {
    /// Two points in degrees, and the distance between them in metres.
    typealias Line = (lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double)

    /// Expected values: the inverse geodesic on WGS 84 of the Python package geographiclib 2.1. For lines shorter
    /// than 100 km, where that is off by up to 2 nm, Karney's integrals in arithmetic with 34 digits.
    static let lines: [Line] = [
        // Ordinary lines
        (50, 2, 76, 5, 2_900_825.035196009),
        (48.1371, 11.5754, -33.8688, 151.2093, 16_325_379.161184354),
        (40.6413, -73.7781, 51.47, -0.4543, 5_554_908.7905475),
        (-34.6, -58.4, 35.7, 139.7, 18_374_656.993458975),
        (64.1, -21.9, -54.8, -68.3, 13_773_965.687921202),
        (52.5, 13.4, 52.5, 13.5, 6791.0227997152615),
        (41, -111, 41, -112, 84_134.72547828597),
        (41, -111, 41, -113, 168_266.69296779623),
        // Along the equator, up to the distance where leaving it is shorter, and beyond
        (0, 0, 0, 1, 111_319.49079327357),
        (0, -20, 0, 100, 13_358_338.895192828),
        (0, 0, 0, 179.39, 19_969_603.453405343),
        (0, 0, 0, 179.4, 19_970_715.516595997),
        (0, 0, 0, 179.5, 19_980_861.908890963),
        (0, 0, 0, 179.999, 20_003_931.36632067),
        (2.484835011423352e-08, 0, -3.2544627617367846e-09, 129.39948742326507, 14_404_685.048868477),
        // Along a meridian, and over a pole
        (0, 0, 1, 0, 110_574.38855779878),
        (-30, 25, 60, 25, 9_974_186.217430897),
        (30, 0, 30, 180, 13_363_704.66274468),
        (80, 10, 85, -170, 1_675_281.4460223264),
        (-89.9, 20, -89.9, -160, 22_338.795682520195),
        // From the poles
        (90, 0, -90, 0, 20_003_931.458625447),
        (90, 0, 89.999, 123, 111.69397955954618),
        (-90, 77, 12.5, -40, 11_384_362.342834838),
        (90, 10, 90, -50, 0),
        (89.99999999, 10, 89.99999999, 100, 0.001579590415608193),
        (-90, -141.76, 89.9999993, -35.09, 20_003_931.380439658),
        (-89.9999, -141.76, 89.9999993, -35.09, 20_003_920.31140415),
        // Across the antimeridian
        (0, 179.5, 0, -179.5, 111_319.49079327357),
        (-17.7, 178, -18.1, -178.6, 362_983.3431985516),
        (10, 179.999999995, 10, -179.999999996, 0.0009867531897059863),
        (60, -179.9, -60, 179.9, 13_308_156.916896656),
        // Short lines, down to a millimetre, and lengths around the limit of the short formula
        (48.1, 11.5, 48.100000009, 11.5, 0.0010007300951345073),
        (48.1, 11.5, 48.1, 11.5000000134, 0.0009980456397508755),
        (-0.000000004, 0, 0.000000005, 0.000000001, 0.0010013752230715249),
        (48.1, 11.5, 48.100007, 11.500007, 0.9368276077780875),
        (-75, -60, -75.00007, -60.0002, 9.719070820592183),
        (0.2, 36.8, 0.20063, 36.80063, 98.84889128829741),
        (48.1, 11.5, 48.15, 11.6, 9291.392913291273),
        (0.1, 0, -0.3, 0.4, 62_761.27947586171),
        (45, 0, 45.5, 0.29, 60_050.92056255425),
        (45, 0, 45.5, 0.31, 60_663.53119298156),
        (48.1, 11.5, 48.8, 12.3, 97_779.88208251187),
        // Antipodal
        (0, 0, 0, 180, 20_003_931.458625447),
        (30, 0, -30, 180, 20_003_931.458625447),
        (-51.3, -120, 51.3, 60, 20_003_931.458625447),
        // Nearly antipodal
        (0, 0, 0.5, 179.5, 19_936_288.578965314),
        (0, 0, 0.5, 179.7, 19_944_127.420750458),
        (0, 0, -0.5, 179.5, 19_936_288.578965314),
        (0, 0, -0.5, 179.6, 19_940_667.733248577),
        (0, 0, -0.5, 179.8, 19_946_627.287954964),
        (0, 0, -0.5, 180, 19_948_644.306621995),
        (30, 0, -30, 179.99, 20_003_922.22814904),
        (30, 0, -30, 179.5, 19_980_861.908890963),
        (30, 0, -29.9, 179.8, 19_989_832.82760953),
        (-30, 0, 29.5, 179.4, 19_933_248.544013403),
        (5, 0.00000000000001, -5, 180, 20_003_931.458625447),
        (60, 0, -60.0001, 179.9999, 20_003_920.316474177),
        (89.9, 0, -89.8, 179, 19_992_758.65981546),
        (0.000000000001, 0, 0, 179.2, 19_948_452.750154622),
        (-4.115651766203517e-12, 0, 4.115651766203517e-12, 179.924755460527, 20_003_408.856331784),
        // Coincident
        (0, 0, 0, 0, 0),
        (48.1, 11.5, 48.1, 11.5, 0),
        (-90, 10, -90, 20, 0),
        (12, 180, 12, -180, 0),
        (12, 0, 12, 360, 0),
    ]

    @Test(arguments: lines)
    func alongTheEllipsoid(line: Line) {
        let tolerance = min(1e-7, line.metres * 1e-9)
        #expect(abs(distance(line.lat1, line.lon1, line.lat2, line.lon2) - line.metres) <= tolerance)
        #expect(abs(distance(line.lat2, line.lon2, line.lat1, line.lon1) - line.metres) <= tolerance)
    }

    /// Distances that the tests of other projects expect of `CLLocation.distance(from:)`, with their tolerances.
    /// Sources: PicsNearMe (v-nanov), AirKit (yurii-lysytsia), SwifterSwift: a path of two such degrees is 168.27 km,
    /// and bounds of 304.8 m and 320 m.
    @Test(arguments: [
        (50, 2, 76, 5, 2_900_825.03478675, 0.01),
        (50.44409729053253, 30.570687373424885, 50.4540989445242, 30.606736260944334, 2791, 1),
        (41, -111, 41, -112, 84135, 5),
        (37.575803, 126.976807, 37.572931, 126.976834, 312.4, 7.6),
    ])
    func asCoreLocation(
        lat1: Double, lon1: Double, lat2: Double, lon2: Double, expected: Double, tolerance: Double
    ) {
        #expect(abs(distance(lat1, lon1, lat2, lon2) - expected) <= tolerance)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        #expect(distance(value, 0, 10, 20).isNaN)
        #expect(distance(0, value, 10, 20).isNaN)
        #expect(distance(0, 0, value, 20).isNaN)
        #expect(distance(0, 0, 10, value).isNaN)
        #expect(distance(value, value, value, value).isNaN)
    }

    @Test func latitudesThatDoNotExist() {
        #expect(distance(90.000001, 0, 0, 0).isNaN)
        #expect(distance(0, 0, -91, 0).isNaN)
    }

    /// The distance is a metric: it is symmetric, and no detour is shorter.
    @Test(arguments: Neighbourhood.allCases)
    func metric(neighbourhood: Neighbourhood) {
        let seed: UInt64 = 0x6765_6F64
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            let a = anywhere(&random)
            let b = neighbourhood.point(near: a, &random)
            let c = neighbourhood == .everywhere ? anywhere(&random) : Neighbourhood.around.point(near: b, &random)
            let direct = distance(a.latitude, a.longitude, b.latitude, b.longitude)
            let note: Comment = "seed \(seed), round \(round): \(a) \(b) \(c)"

            #expect(direct == distance(b.latitude, b.longitude, a.latitude, a.longitude), note)
            // Half of a meridian is the greatest distance between two points.
            #expect(direct >= 0 && direct < 20_003_931.458_626, note)
            let detour =
                distance(a.latitude, a.longitude, c.latitude, c.longitude)
                + distance(c.latitude, c.longitude, b.latitude, b.longitude)
            #expect(direct <= detour + 1e-7, note)
        }
    }

    @Test(arguments: Neighbourhood.allCases)
    func turningTheEarthChangesNothing(neighbourhood: Neighbourhood) {
        let seed: UInt64 = 0x7475_726E
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            let a = anywhere(&random)
            let b = neighbourhood.point(near: a, &random)
            let shift = Double.random(in: -360...360, using: &random)
            let direct = distance(a.latitude, a.longitude, b.latitude, b.longitude)
            let shifted = distance(a.latitude, a.longitude + shift, b.latitude, b.longitude + shift)
            // Rounding the shifted longitudes alone accounts for 6 nm.
            #expect(abs(direct - shifted) < 5e-8, "seed \(seed), round \(round): \(a) \(b) by \(shift)")
        }
    }

    /// A meridian is a shortest line, so the lengths of its parts add up, whether short or long.
    @Test func partsOfAMeridian() {
        let seed: UInt64 = 0x6D65_7269
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            let south = Double.random(in: -90...90, using: &random)
            let north = Double.random(in: south...90, using: &random)
            let between = min(north, south + Double.random(in: 0...0.6, using: &random))
            let sum = distance(south, 7, between, 7) + distance(between, 7, north, 7)
            #expect(
                abs(distance(south, 7, north, 7) - sum) < 1e-7,
                "seed \(seed), round \(round): \(south) \(between) \(north)")
        }
    }

    /// The region of the second point, relative to the first.
    enum Neighbourhood: CaseIterable {
        case everywhere
        /// Within a millimetre to a degree of the first point.
        case around
        /// Within a millimetre to a degree of its antipode.
        case antipode

        func point(near point: Point, _ random: inout SeededRandom) -> Point {
            guard self != .everywhere else { return anywhere(&random) }
            let size = pow(10, Double.random(in: -8...0, using: &random))
            let latitude = point.latitude + Double.random(in: -size...size, using: &random)
            let longitude = point.longitude + Double.random(in: -size...size, using: &random)
            let inRange = max(-90, min(90, latitude))
            return self == .around ? Point(inRange, longitude) : Point(-inRange, longitude + 180)
        }
    }

    /// A point in degrees.
    struct Point {
        var latitude: Double
        var longitude: Double

        init(_ latitude: Double, _ longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }
}

private func anywhere(_ random: inout SeededRandom) -> DistanceTests.Point {
    DistanceTests.Point(Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
}

private func distance(_ lat1: Double, _ lon1: Double, _ lat2: Double, _ lon2: Double) -> Double {
    let now = Timestamp(millisecondsSince1970: 0)
    return Location(timestamp: now, latitude: lat1, longitude: lon1)
        .distance(to: Location(timestamp: now, latitude: lat2, longitude: lon2))
}
