import CoreLocation
import LocationModel
import Testing

@testable import CoreLocationDaemon

@Suite struct RememberedLocationTests {
    /// As a position from Wi-Fi on Apple's systems: software has not made it up, and no accessory has produced it.
    @Test func aRememberedPlaceLooksLikeAPositionFromWiFi() throws {
        var place = LocationModel.Location(
            timestamp: Timestamp(millisecondsSince1970: 0), latitude: 47, longitude: 8)
        (place.horizontalAccuracy, place.quality) = (65, .remembered)
        let location = CLLocation(place)
        #expect(location.horizontalAccuracy == 65 && location.verticalAccuracy == -1)
        #expect(location.speed == -1 && location.course == -1)
        let source = try #require(location.sourceInformation)
        #expect(!source.isSimulatedBySoftware && !source.isProducedByAccessory)
    }
}
