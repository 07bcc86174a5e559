import LocationModel
import Testing

@testable import CoreLocation

/// Keyed archives, as apps store them.
@Suite struct CodingTests {
    private func roundTrip<Object: NSObject & NSCoding>(_ object: Object, as type: Object.Type = Object.self) throws
        -> Object
    {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data))
    }

    @Test func location() throws {
        var fix = LocationModel.Location(
            timestamp: Timestamp(millisecondsSince1970: 1_700_000_000_123), latitude: 48.1, longitude: -11.2,
            simulated: true)
        fix.horizontalAccuracy = 3
        fix.altitude = 4
        fix.ellipsoidalAltitude = 5
        fix.verticalAccuracy = 6
        fix.course = 7
        fix.courseAccuracy = 8
        fix.speed = 9
        fix.speedAccuracy = 10
        let location = CLLocation(fix)
        let copy = try roundTrip(location)
        #expect((copy.coordinate.latitude, copy.coordinate.longitude) == (48.1, -11.2))
        #expect((copy.horizontalAccuracy, copy.verticalAccuracy) == (3, 6))
        #expect((copy.altitude, copy.ellipsoidalAltitude) == (4, 5))
        #expect((copy.course, copy.courseAccuracy, copy.speed, copy.speedAccuracy) == (7, 8, 9, 10))
        #expect(copy.timestamp == location.timestamp)
        #expect(copy.floor == nil)
        #expect(copy.sourceInformation?.isSimulatedBySoftware == true)
        #expect(copy.sourceInformation?.isProducedByAccessory == false)
    }

    @Test func locationOfInvalidNumbers() throws {
        let copy = try roundTrip(CLLocation(latitude: .nan, longitude: -.infinity))
        #expect(copy.coordinate.latitude.isNaN)
        #expect(copy.coordinate.longitude == -.infinity)
        #expect(copy.sourceInformation == nil)
    }

    @Test func regions() throws {
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "home")
        circle.notifyOnExit = false
        let copy = try roundTrip(circle)
        #expect((copy.center.latitude, copy.center.longitude, copy.radius) == (1, 2, 3))
        #expect(copy.identifier == "home")
        #expect((copy.notifyOnEntry, copy.notifyOnExit) == (true, false))

        let beacons = CLBeaconRegion(uuid: UUID(), major: 65535, identifier: "shop")
        beacons.notifyEntryStateOnDisplay = true
        let beaconCopy = try roundTrip(beacons)
        #expect(beaconCopy.uuid == beacons.uuid)
        #expect(beaconCopy.major == 65535)
        #expect(beaconCopy.minor == nil)
        #expect(beaconCopy.identifier == "shop")
        #expect(beaconCopy.notifyEntryStateOnDisplay)
    }

    @Test func headingAndVisit() throws {
        let heading = CLHeading(
            CLHeading.Values(
                magneticHeading: 1, trueHeading: 2, headingAccuracy: 3, x: 4, y: 5, z: 6, timestamp: .distantPast))
        let turned = try roundTrip(heading)
        #expect((turned.magneticHeading, turned.trueHeading, turned.headingAccuracy) == (1, 2, 3))
        #expect((turned.x, turned.y, turned.z, turned.timestamp) == (4, 5, 6, .distantPast))

        let visit = CLVisit(
            CLVisit.Values(
                arrivalDate: Date(timeIntervalSince1970: 5),
                coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), horizontalAccuracy: 3))
        let stayed = try roundTrip(visit)
        #expect(stayed.arrivalDate == Date(timeIntervalSince1970: 5))
        #expect(stayed.departureDate == .distantFuture)
        #expect((stayed.coordinate.latitude, stayed.coordinate.longitude, stayed.horizontalAccuracy) == (1, 2, 3))
    }

    @Test func smallOnes() throws {
        #expect(try roundTrip(CLFloor()).level == 0)
        let constraint = CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2)
        #expect(try roundTrip(constraint) == constraint)
        #expect(try roundTrip(CLBeaconIdentityConstraint(uuid: constraint.uuid)) != constraint)
        #expect(try roundTrip(CLBeacon()).proximity == .unknown)
    }

    @Test func placemark() throws {
        final class Town: CLPlacemark {
            override var locality: String? { "Ulm" }
            override var location: CLLocation? { CLLocation(latitude: 48.4, longitude: 10) }
            override var timeZone: TimeZone? { TimeZone(identifier: "Europe/Berlin") }
            override var areasOfInterest: [String]? { ["Minster"] }
            override var region: CLRegion? {
                CLCircularRegion(
                    center: CLLocationCoordinate2D(latitude: 48.4, longitude: 10), radius: 5000, identifier: "Ulm")
            }
        }
        let copy = try roundTrip(CLPlacemark(placemark: Town()))
        #expect(copy.locality == "Ulm")
        #expect(copy.country == nil)
        #expect(copy.location?.coordinate.latitude == 48.4)
        #expect(copy.timeZone?.identifier == "Europe/Berlin")
        #expect(copy.areasOfInterest == ["Minster"])
        #expect((copy.region as? CLCircularRegion)?.radius == 5000)
    }

    @Test func anArchiveWithoutTheValuesIsRefused() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(1.5, forKey: "longitude")
        let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(CLLocation(coder: coder) == nil)
        #expect(CLCircularRegion(coder: coder) == nil)
        #expect(CLBeaconRegion(coder: coder) == nil)
        #expect(CLHeading(coder: coder) == nil)
        #expect(CLVisit(coder: coder) == nil)
        #expect(CLFloor(coder: coder) == nil)
        #expect(CLLocationSourceInformation(coder: coder) == nil)
        #expect(CLBeaconIdentityConstraint(coder: coder) == nil)
    }
}
