import CoreLocation
import Testing

/// Apple's raw values, which apps store, send and compare.
@Suite struct RawValueTests {
    @Test func authorization() {
        let statuses: [CLAuthorizationStatus] = [
            .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(CLAuthorizationStatus(rawValue: 2) == .denied)
        #expect([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy].map(\.rawValue) == [0, 1])
    }

    @Test func activitiesStartAtOne() {
        let activities: [CLActivityType] = [.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne]
        #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    }

    @Test func orientations() {
        let orientations: [CLDeviceOrientation] = [
            .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
        ]
        #expect(orientations.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func states() {
        #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
        #expect([CLProximity.unknown, .immediate, .near, .far].map(\.rawValue) == [0, 1, 2, 3])
        let states: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test func constants() {
        #expect(kCLDistanceFilterNone == -1)
        #expect(kCLHeadingFilterNone == -1)
        #expect(kCLLocationAccuracyBestForNavigation == -2)
        #expect(kCLLocationAccuracyBest == -1)
        #expect(kCLLocationAccuracyNearestTenMeters == 10)
        #expect(kCLLocationAccuracyHundredMeters == 100)
        #expect(kCLLocationAccuracyKilometer == 1000)
        #expect(kCLLocationAccuracyThreeKilometers == 3000)
        #expect(kCLLocationAccuracyReduced == 6_380_000)
        #expect(CLLocationDistanceMax == .greatestFiniteMagnitude)
        #expect(CLTimeIntervalMax == .greatestFiniteMagnitude)
        #expect(kCLErrorDomain == "kCLErrorDomain")
    }
}
