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
        var sent = LocationClient.Options(options, isBackgroundActive: false)
        #expect(sent.desiredAccuracy == .best && sent.distanceFilter == nil && sent.activityType == .other)
        #expect(sent.pausesAutomatically == true && sent.allowsBackground == false)
        #expect(sent.showsBackgroundIndicator == false)
        options.activityType = .fitness
        options.distanceFilter = 25
        options.pausesLocationUpdatesAutomatically = false
        options.allowsBackgroundLocationUpdates = true
        options.showsBackgroundLocationIndicator = true
        sent = LocationClient.Options(options, isBackgroundActive: false)
        #expect(sent.activityType == .fitness && sent.distanceFilter == 25 && sent.pausesAutomatically == false)
        #expect(sent.allowsBackground == true && sent.showsBackgroundIndicator == true)
        sent = LocationClient.Options(LocationManagerOptions(), isBackgroundActive: true)
        #expect(sent.allowsBackground == true && sent.showsBackgroundIndicator == true)
    }
}
