import CoreLocation
import Testing

@Suite struct DistanceTests {
    private static func distance(_ lat1: Double, _ lon1: Double, _ lat2: Double, _ lon2: Double) -> Double {
        CLLocation(latitude: lat1, longitude: lon1).distance(from: CLLocation(latitude: lat2, longitude: lon2))
    }

    /// Distances that the tests of existing apps expect of Apple's `distance(from:)`: two places in degrees, then the
    /// distance and its tolerance in metres.
    @Test(
        arguments: [
            (50, 2, 76, 5, 2_900_825.03478675, 0.01),  // PicsNearMe
            (50.44409729053253, 30.570687373424885, 50.4540989445242, 30.606736260944334, 2791, 1),  // AirKit
            (41, -111, 41, -112, 84_135, 5),  // SwifterSwift
            (37.575803, 126.976807, 37.572931, 126.976834, 312.4, 7.6),  // SwifterSwift
        ] as [(Double, Double, Double, Double, Double, Double)])
    func distancesThatAppsExpect(
        lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double, tolerance: Double
    ) {
        #expect(abs(Self.distance(lat1, lon1, lat2, lon2) - metres) <= tolerance)
    }

    @Test func aPathIsTheSumOfItsLegs() {
        let sum = Self.distance(41, -111, 41, -112) + Self.distance(41, -112, 41, -113)
        #expect(abs(sum - 168_270) <= 10)
    }

    /// Compares with geographiclib: the committed pairs, or those of the file named by the environment variable
    /// GEODESICS.
    @Test func agreesWithAnIndependentImplementationToAMillimetre() throws {
        let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "geodesics.tsv")
        let file = ProcessInfo.processInfo.environment["GEODESICS"].map { URL(fileURLWithPath: $0) } ?? committed
        let pairs = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t").compactMap { Double($0) } }
        #expect(pairs.count >= 400)
        var worst = 0.0
        for pair in pairs {
            try #require(pair.count == 5)
            let error = abs(Self.distance(pair[0], pair[1], pair[2], pair[3]) - pair[4])
            #expect(error < 0.001, "\(pair)")
            worst = max(worst, error)
        }
        print("\(pairs.count) geodesics, the greatest difference is \(worst) m")
    }

    @Test func isSymmetricAndZeroToItself() {
        #expect(Self.distance(50, 2, 76, 5) == Self.distance(76, 5, 50, 2))
        #expect(Self.distance(50, 2, 50, 2) == 0)
    }

    @Test func altitudesDoNotCount() {
        let place = CLLocationCoordinate2D(latitude: 48, longitude: 11)
        func at(_ altitude: Double) -> CLLocation {
            CLLocation(
                coordinate: place, altitude: altitude, horizontalAccuracy: 1, verticalAccuracy: 1, timestamp: Date())
        }
        #expect(at(0).distance(from: at(8000)) == 0)
    }

    @Test func invalidCoordinatesHaveNoDistance() {
        #expect(Self.distance(91, 0, 0, 0).isNaN)
        #expect(Self.distance(0, 0, .nan, 0).isNaN)
        #expect(Self.distance(0, .infinity, 0, 0).isNaN)
    }

    @Test func aMocksOverriddenCoordinateCounts() {
        final class Mock: CLLocation, @unchecked Sendable {
            override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 0, longitude: 1) }
        }
        #expect(Mock().distance(from: CLLocation()) == Self.distance(0, 0, 0, 1))
        #expect(CLLocation().distance(from: Mock()) == Self.distance(0, 0, 0, 1))
    }
}
