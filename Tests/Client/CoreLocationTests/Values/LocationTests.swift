import LocationModel
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct LocationTests {
    @Test func aPlaceAloneLeavesTheRestInvalid() {
        let before = Date()
        let location = CLLocation(latitude: 37.785834, longitude: -122.406417)
        #expect(location.coordinate.latitude == 37.785834)
        #expect(location.coordinate.longitude == -122.406417)
        #expect(location.altitude == 0)
        #expect(location.horizontalAccuracy == 0)
        #expect(location.verticalAccuracy == -1)
        #expect(location.course == -1)
        #expect(location.courseAccuracy == -1)
        #expect(location.speed == -1)
        #expect(location.speedAccuracy == -1)
        #expect(location.floor == nil)
        #expect(location.sourceInformation == nil)
        #expect((before...Date()).contains(location.timestamp))
    }

    @Test func valuesAreKeptAsTheyAre() {
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 500, longitude: .infinity), altitude: -.infinity,
            horizontalAccuracy: .nan, verticalAccuracy: 1, course: 2, courseAccuracy: 3, speed: 4, speedAccuracy: 5,
            timestamp: .distantPast,
            sourceInfo: CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false))
        #expect(location.coordinate.latitude == 500)
        #expect(location.coordinate.longitude == .infinity)
        #expect(location.altitude == -.infinity)
        #expect(location.horizontalAccuracy.isNaN)
        #expect(location.verticalAccuracy == 1)
        #expect(location.course == 2)
        #expect(location.courseAccuracy == 3)
        #expect(location.speed == 4)
        #expect(location.speedAccuracy == 5)
        #expect(location.timestamp == .distantPast)
        #expect(location.sourceInformation?.isSimulatedBySoftware == true)
        #expect(location.sourceInformation?.isProducedByAccessory == false)
    }

    @Test func shorterInitializersLeaveTheRestInvalid() {
        let place = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        let still = CLLocation(
            coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, timestamp: .distantPast)
        #expect((still.altitude, still.horizontalAccuracy, still.verticalAccuracy) == (3, 4, 5))
        #expect((still.course, still.speed) == (-1, -1))
        let moving = CLLocation(
            coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 6, speed: 7,
            timestamp: .distantPast)
        #expect((moving.course, moving.speed) == (6, 7))
        #expect((moving.courseAccuracy, moving.speedAccuracy) == (-1, -1))
    }

    @Test func theDescriptionIsApples() {
        let date = Date(timeIntervalSince1970: 1_637_387_000)
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 37.785834, longitude: -122.406417), altitude: 0,
            horizontalAccuracy: 5, verticalAccuracy: -1, timestamp: date)
        let time = DateFormatter.localizedString(from: date, dateStyle: .short, timeStyle: .full)
        #expect(
            location.description
                == "<+37.78583400,-122.40641700> +/- 5.00m (speed -1.00 mps / course -1.00) @ " + time)
        #expect("\(location)" == location.description)
    }

    @Test func equalityIsIdentity() {
        let date = Date()
        func make() -> CLLocation {
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 3, horizontalAccuracy: 4,
                verticalAccuracy: 5, timestamp: date)
        }
        let location = make()
        #expect(location != make())
        #expect(Set([location, make(), location]).count == 2)
        #expect((location.copy() as? CLLocation) === location)
    }

    @Test func whatTheDaemonDoesNotKnowIsInvalid() {
        let bare = CLLocation(
            LocationModel.Location(timestamp: Timestamp(millisecondsSince1970: 1500), latitude: 1, longitude: 2))
        #expect((bare.coordinate.latitude, bare.coordinate.longitude) == (1, 2))
        #expect(bare.timestamp == Date(timeIntervalSince1970: 1.5))
        #expect((bare.horizontalAccuracy, bare.verticalAccuracy) == (-1, -1))
        #expect((bare.course, bare.courseAccuracy, bare.speed, bare.speedAccuracy) == (-1, -1, -1, -1))
        #expect(bare.sourceInformation?.isSimulatedBySoftware == false)
    }

    @Test func knownValuesAreConverted() {
        var fix = LocationModel.Location(
            timestamp: Timestamp(millisecondsSince1970: 0), latitude: 1, longitude: 2, simulated: true)
        fix.horizontalAccuracy = 3
        fix.altitude = 4
        fix.ellipsoidalAltitude = 5
        fix.verticalAccuracy = 6
        fix.course = 7
        fix.courseAccuracy = 8
        fix.speed = 9
        fix.speedAccuracy = 10
        let location = CLLocation(fix)
        #expect(location.horizontalAccuracy == 3)
        #expect((location.altitude, location.ellipsoidalAltitude, location.verticalAccuracy) == (4, 5, 6))
        #expect((location.course, location.courseAccuracy) == (7, 8))
        #expect((location.speed, location.speedAccuracy) == (9, 10))
        #expect(location.sourceInformation?.isSimulatedBySoftware == true)
    }
}
