import LocationClient
import LocationProtocol
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct OptionsTests {
    @Test(arguments: [
        (kCLLocationAccuracyBestForNavigation, DesiredAccuracy.bestForNavigation), (kCLLocationAccuracyBest, .best),
        (0, .best), (5, .best), (kCLLocationAccuracyNearestTenMeters, .nearestTenMeters), (50, .nearestTenMeters),
        (kCLLocationAccuracyHundredMeters, .hundredMeters), (kCLLocationAccuracyKilometer, .kilometer),
        (kCLLocationAccuracyThreeKilometers, .threeKilometers), (5000, .threeKilometers),
        (kCLLocationAccuracyReduced, .reduced), (.infinity, .reduced), (.nan, .best), (-.infinity, .best),
    ])
    func theLevelIsAtLeastAsAccurateAsRequested(metres: Double, level: DesiredAccuracy) {
        #expect(DesiredAccuracy(metres) == level)
    }

    @Test(arguments: [(kCLDistanceFilterNone, nil), (0, nil), (.nan, nil), (12, 12), (CLLocationDistanceMax, 1e8)])
    func everyDistanceGoesOverTheWire(filter: Double, metres: Double?) {
        var options = LocationManagerOptions()
        options.distanceFilter = filter
        #expect(LocationClient.Options(options, isBackgroundActive: false).distanceFilter == metres)
    }

    @Test func everyOptionIsPassedOn() {
        var options = LocationManagerOptions()
        var wishes = LocationClient.Options(options, isBackgroundActive: false)
        #expect(wishes.desiredAccuracy == .best && wishes.distanceFilter == nil && wishes.activityType == .other)
        #expect(wishes.pausesAutomatically == true && wishes.allowsBackground == false)
        #expect(wishes.showsBackgroundIndicator == false)
        options.activityType = .fitness
        options.distanceFilter = 25
        options.pausesLocationUpdatesAutomatically = false
        options.allowsBackgroundLocationUpdates = true
        options.showsBackgroundLocationIndicator = true
        wishes = LocationClient.Options(options, isBackgroundActive: false)
        #expect(wishes.activityType == .fitness && wishes.distanceFilter == 25 && wishes.pausesAutomatically == false)
        #expect(wishes.allowsBackground == true && wishes.showsBackgroundIndicator == true)
        wishes = LocationClient.Options(LocationManagerOptions(), isBackgroundActive: true)
        #expect(wishes.allowsBackground == true && wishes.showsBackgroundIndicator == true)
    }
}
