import Bus
import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct LocationObjectTests {
    private func value(_ name: String, of location: Location) -> BusValue? {
        LocationObject(location: location).properties.first { $0.name == name }?.value
    }

    /// Clients crash, or drop the location, if one of the eight is missing or has another type.
    @Test func allIsThereWhenNothingIsKnown() {
        #expect(
            LocationObject(location: .berne).properties == [
                PropertyValue("Latitude", .double(46.95)), PropertyValue("Longitude", .double(7.45)),
                PropertyValue("Accuracy", .double(300)), PropertyValue("Altitude", .double(-1.7976931348623157e308)),
                PropertyValue("Speed", .double(-1)), PropertyValue("Heading", .double(-1)),
                PropertyValue("Description", .string("")),
                PropertyValue("Timestamp", .time(seconds: 1_800_000_000, microseconds: 250_000)),
            ])
    }

    @Test func whatIsKnown() {
        var location = Location.berne
        location.horizontalAccuracy = 2.5
        location.altitude = 541
        location.speed = 1.5
        location.course = 271
        #expect(value("Accuracy", of: location) == .double(2.5))
        #expect(value("Altitude", of: location) == .double(541))
        #expect(value("Speed", of: location) == .double(1.5))
        #expect(value("Heading", of: location) == .double(271))
    }

    @Test func aRememberedPlaceSaysSo() {
        var location = Location.berne
        location.quality = .remembered
        #expect(value("Description", of: location) == .string("Remembered place"))
    }

    /// Qt interprets an accuracy of exactly 0 as a satellite fix.
    @Test func theAccuracyIsNeverZero() {
        var location = Location.berne
        location.horizontalAccuracy = 0
        #expect(value("Accuracy", of: location) == .double(0.001))
    }

    @Test(arguments: [Int64.min, -1, 0, 999, 1000, .max])
    func anyTime(_ milliseconds: Int64) {
        let location = Location(
            timestamp: Timestamp(millisecondsSince1970: milliseconds), latitude: 0, longitude: 0)
        let time = max(0, milliseconds)
        #expect(
            value("Timestamp", of: location)
                == .time(seconds: UInt64(time / 1000), microseconds: UInt64(time % 1000) * 1000))
    }

    /// A port that was closed passes on at once what it has kept: an app reads the first location after the last one has
    /// come, and where-am-i crashes without it.
    @Test func allOfABurstAreThere() {
        var objects = LocationObjects()
        for number in 0..<100 { _ = objects.add(.berne.moved(after: Double(number))) }
        #expect(objects.object(0)?.location == .berne.moved(after: 0))
    }

    @Test func theNewestAndTheOneBeforeAreThere() {
        var objects = LocationObjects()
        #expect(objects.newestNumber == nil && objects.object(0) == nil)
        let last = UInt64(LocationObjects.maximumCount) + 2
        for number in 0...last {
            #expect(objects.add(.berne.moved(after: Double(number))) == number)
            #expect(objects.newestNumber == number)
            for other in 0...last + 2 {
                let isThere = other <= number && number - other < LocationObjects.maximumCount
                #expect((objects.object(other) != nil) == isThere)
                if isThere { #expect(objects.object(other)?.location == .berne.moved(after: Double(other))) }
            }
        }
        let removed = objects.removeAll()
        #expect(removed && objects.newestNumber == nil && objects.object(last) == nil)
        #expect(objects.add(.berne) == last + 1, "the count goes on")
    }
}
