import LocationModel
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

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
        var values = CLBeacon.Values()
        values.uuid = constraint.uuid
        (values.major, values.minor, values.proximity) = (65535, 2, .near)
        (values.accuracy, values.rssi, values.timestamp) = (1.5, -62, Date(timeIntervalSince1970: 1_800_000_000))
        let beacon = try roundTrip(CLBeacon(values))
        #expect(beacon.uuid == constraint.uuid)
        #expect((beacon.major, beacon.minor, beacon.proximity) == (65535, 2, .near))
        #expect((beacon.accuracy, beacon.rssi, beacon.timestamp) == (1.5, -62, values.timestamp))
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

    /// Returns a coder that reads what `encode` writes.
    private func decoder(_ encode: (NSCoder) -> Void) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        encode(archiver)
        return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }

    /// An app's subclass may archive nothing but its own values, under keys of its own choice.
    @Test func anArchiveWithoutTheValuesHasTheDefaults() throws {
        let coder = try decoder {
            $0.encode("far" as NSString, forKey: "longitude")
            $0.encode("home" as NSString, forKey: "level")
            $0.encode(1.5, forKey: "identifier")
        }
        let location = try #require(CLLocation(coder: coder))
        #expect((location.coordinate.latitude, location.coordinate.longitude) == (0, 0))
        #expect((location.horizontalAccuracy, location.verticalAccuracy) == (-1, -1))
        #expect((location.course, location.courseAccuracy) == (-1, -1))
        #expect((location.speed, location.speedAccuracy) == (-1, -1))
        #expect(location.timestamp == Date(timeIntervalSinceReferenceDate: 0))
        #expect(location.floor == nil)
        #expect(location.sourceInformation == nil)

        let region = try #require(CLRegion(coder: coder))
        #expect(region.identifier.isEmpty)
        #expect((region.notifyOnEntry, region.notifyOnExit) == (true, true))
        let circle = try #require(CLCircularRegion(coder: coder))
        #expect((circle.center.latitude, circle.center.longitude, circle.radius) == (0, 0, 0))
        let beacons = try #require(CLBeaconRegion(coder: coder))
        #expect(beacons.uuid == CLBeacon().uuid)
        #expect((beacons.major, beacons.minor) == (nil, nil))
        #expect(!beacons.notifyEntryStateOnDisplay)
        #expect(CLBeaconIdentityConstraint(coder: coder)?.uuid == CLBeacon().uuid)

        let heading = try #require(CLHeading(coder: coder))
        #expect((heading.magneticHeading, heading.trueHeading, heading.headingAccuracy) == (0, -1, -1))
        #expect((heading.x, heading.y, heading.z) == (0, 0, 0))
        #expect(heading.timestamp == Date(timeIntervalSinceReferenceDate: 0))
        let visit = try #require(CLVisit(coder: coder))
        #expect((visit.arrivalDate, visit.departureDate) == (.distantPast, .distantFuture))
        #expect((visit.coordinate.latitude, visit.coordinate.longitude, visit.horizontalAccuracy) == (0, 0, -1))

        #expect(CLFloor(coder: coder)?.level == 0)
        #expect(CLLocationSourceInformation(coder: coder)?.isSimulatedBySoftware == false)
        #expect(CLLocationSourceInformation(coder: coder)?.isProducedByAccessory == false)
        let placemark = try #require(CLPlacemark(coder: coder))
        #expect(placemark.name == nil)
        #expect(placemark.location == nil)
    }

    /// An archive whose keys do not begin with the name of the library.
    @Test func anArchiveWithOtherKeysHasNoValidPlace() throws {
        let coder = try decoder {
            $0.encode(48.1, forKey: "latitude")
            $0.encode(11.2, forKey: "longitude")
            $0.encode(5.0, forKey: "horizontalAccuracy")
        }
        let location = try #require(CLLocation(coder: coder))
        #expect(location.horizontalAccuracy < 0)
        let visit = try #require(CLVisit(coder: coder))
        #expect(visit.horizontalAccuracy < 0)
    }

    /// A subclass of an app that archives values of its own under the names of the superclass's properties.
    @Test func theKeysOfASubclassAreItsOwn() throws {
        final class Shop: CLCircularRegion {
            let keeper: String
            init(keeper: String) {
                self.keeper = keeper
                super.init(
                    center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "shop")
            }
            required init?(coder: NSCoder) {
                guard let keeper = coder.decodeObject(of: NSString.self, forKey: "radius") else { return nil }
                self.keeper = keeper as String
                super.init(coder: coder)
            }
            override func encode(with coder: NSCoder) {
                super.encode(with: coder)
                coder.encode(keeper as NSString, forKey: "radius")
                coder.encode(7, forKey: "identifier")
                coder.encode(true, forKey: "latitude")
            }
        }
        let shop = Shop(keeper: "Ada")
        let copy = try #require(try Shop(coder: decoder { shop.encode(with: $0) }))
        #expect(copy.keeper == "Ada")
        #expect(copy.identifier == "shop")
        #expect((copy.center.latitude, copy.center.longitude, copy.radius) == (1, 2, 3))
    }

    /// A subclass of an app that does not call its superclass to encode.
    @Test func aSubclassThatEncodesOnlyItsOwnValuesIsDecoded() throws {
        final class Note: CLLocation, @unchecked Sendable {
            let text: String
            override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 5, longitude: 6) }
            init(text: String) {
                self.text = text
                super.init(latitude: 1, longitude: 2)
            }
            required init?(coder: NSCoder) {
                text = coder.decodeObject(of: NSString.self, forKey: "text").map { $0 as String } ?? ""
                super.init(coder: coder)
            }
            override func encode(with coder: NSCoder) {
                coder.encode(text as NSString, forKey: "text")
            }
        }
        let note = Note(text: "here")
        let copy = try #require(try Note(coder: decoder { note.encode(with: $0) }))
        #expect(copy.text == "here")
        #expect(copy.coordinate.latitude == 5)
        #expect(copy.speed == -1)
    }

    @Test func aDamagedOwnerOfBeaconsIsRefused() throws {
        let coder = try decoder { $0.encode("me" as NSString, forKey: "CoreLocation.uuid") }
        #expect(CLBeaconRegion(coder: coder) == nil)
        #expect(CLBeaconIdentityConstraint(coder: coder) == nil)
    }
}
