import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct LocalPlaneTests {
    private static let epoch = Timestamp(millisecondsSince1970: 0)

    @Test(arguments: [0.0, 30, -45, 60, 80, 84.9, 89, 89.99, 90, -90])
    func distancesAreTheGeodesicsUpToTwentyKilometres(latitude: Double) {
        var random = SeededRandom(seed: UInt64(latitude.magnitude))
        for _ in 0..<200 {
            let longitude = random.unit() < 0.3 ? 179.999 : random.number(in: -180...180)
            let plane = LocalPlane(latitude: latitude, longitude: longitude)
            let place = plane.place(
                north: random.number(in: -14_000...14_000), east: random.number(in: -14_000...14_000))
            let here = Location(timestamp: Self.epoch, latitude: latitude, longitude: longitude)
            let there = Location(timestamp: Self.epoch, latitude: place.latitude, longitude: place.longitude)
            let geodesic = here.distance(to: there)
            #expect(abs(plane.distance(to: there) - geodesic) <= geodesic * 0.0001 + 0.001, "\(here) \(there)")
        }
    }

    @Test(arguments: [(0.0, 0.0), (47, 180), (-80, -180), (89.9999, 12), (90, 0), (-90, 0)])
    func aPlaceAndItsDisplacementAgree(latitude: Double, longitude: Double) {
        let plane = LocalPlane(latitude: latitude, longitude: longitude)
        for (north, east) in [(0.0, 0.0), (100, 0), (0, -100), (-700, 700), (2000, 3000)] {
            let place = plane.place(north: north, east: east)
            #expect((-90.0...90).contains(place.latitude))
            #expect((-180.0...180).contains(place.longitude))
            let back = plane.displacement(
                to: Location(timestamp: Self.epoch, latitude: place.latitude, longitude: place.longitude))
            #expect(abs(back.north - north) < 0.01)
            #expect(abs(back.east - east) < 0.01)
        }
    }

    @Test func northIsNorthAndEastIsEast() {
        let plane = LocalPlane(latitude: 0, longitude: 0)
        let offset = plane.displacement(to: Location(timestamp: Self.epoch, latitude: 0.01, longitude: 0.02))
        #expect(abs(offset.north - 1105.74) < 0.01)
        #expect(abs(offset.east - 2226.39) < 0.01)
    }

    @Test func theFarSideOfTheEarthIsFarAway() {
        let plane = LocalPlane(latitude: 10, longitude: 20)
        #expect(plane.distance(to: Location(timestamp: Self.epoch, latitude: -10, longitude: -160)) > 12_000_000)
    }
}
