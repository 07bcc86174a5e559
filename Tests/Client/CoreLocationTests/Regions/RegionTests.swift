import CoreLocation
import Testing

@Suite struct RegionTests {
    private let center = CLLocationCoordinate2D(latitude: 37.33169175, longitude: -122.030219)

    @Test func theDescriptionIsApples() {
        let region = CLCircularRegion(center: center, radius: 62.4, identifier: "x")
        #expect(
            region.description
                == "CLCircularRegion (identifier:'x', center:<+37.33169175,-122.03021900>, radius:62.40m)")
    }

    @Test func equalityIsOfTheIdentifier() {
        let home = CLCircularRegion(center: center, radius: 10, identifier: "home")
        let moved = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 20, identifier: "home")
        let work = CLCircularRegion(center: center, radius: 10, identifier: "work")
        #expect(home == moved)
        #expect(home != work)
        #expect(Set<CLRegion>([home, moved, work]).count == 2)
        #expect(Set<CLRegion>([home]).contains(moved))
        #expect(home.isEqual(CLLocation()) == false)
    }

    @Test func notifiesOfBothCrossingsByDefault() {
        let region = CLCircularRegion(center: center, radius: 10, identifier: "home")
        #expect(region.notifyOnEntry)
        #expect(region.notifyOnExit)
    }

    @Test func containsWhatIsNearerThanTheRadius() {
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 111_320, identifier: "r")
        #expect(region.contains(CLLocationCoordinate2D(latitude: 0, longitude: 1)))  // 111,319.49 m
        #expect(!region.contains(CLLocationCoordinate2D(latitude: 0, longitude: 1.0001)))
        #expect(region.contains(region.center))
        #expect(!region.contains(CLLocationCoordinate2D(latitude: .nan, longitude: 0)))
    }

    @Test func containsAcrossTheAntimeridian() {
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: -17, longitude: 179.999), radius: 1000, identifier: "Fiji")
        #expect(region.contains(CLLocationCoordinate2D(latitude: -17, longitude: -179.999)))
    }

    @Test func aCopyIsAnotherRegionOfTheSameValues() throws {
        let region = CLCircularRegion(center: center, radius: 10, identifier: "home")
        region.notifyOnEntry = false
        let copy = try #require(region.copy() as? CLCircularRegion)
        #expect(copy !== region)
        #expect((copy.center.latitude, copy.center.longitude, copy.radius) == (37.33169175, -122.030219, 10))
        #expect(copy.identifier == "home")
        #expect((copy.notifyOnEntry, copy.notifyOnExit) == (false, true))
        copy.notifyOnExit = false
        #expect(region.notifyOnExit)
    }

    @Test func overriddenPropertiesCount() {
        final class Named: CLRegion {
            override var identifier: String { "own" }
        }
        final class Wide: CLCircularRegion {
            override var radius: CLLocationDistance { 1000 }
        }
        #expect(Named() == CLCircularRegion(center: center, radius: 1, identifier: "own"))
        let wide = Wide(center: CLLocationCoordinate2D(), radius: 1, identifier: "w")
        #expect(wide.contains(CLLocationCoordinate2D(latitude: 0.001, longitude: 0)))
    }
}
