import Testing

@testable import CoreLocation

@Suite struct ManagerTests {
    private let backend = ScriptedBackend()
    private var core: ScriptedManagerCore { backend.core }

    private func make() -> CLLocationManager {
        Backend.$current.withValue(backend) { CLLocationManager() }
    }

    @Test func defaults() {
        let manager = make()
        #expect(manager.delegate == nil)
        #expect(manager.activityType == .other)
        #expect(manager.distanceFilter == kCLDistanceFilterNone)
        #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
        #expect(manager.pausesLocationUpdatesAutomatically)
        #expect(!manager.allowsBackgroundLocationUpdates)
        #expect(!manager.showsBackgroundLocationIndicator)
        #expect(manager.headingFilter == 1)
        #expect(manager.headingOrientation == .portrait)
        #expect(manager.location == nil)
        #expect(manager.heading == nil)
        #expect(manager.monitoredRegions.isEmpty)
        #expect(manager.maximumRegionMonitoringDistance == 1_000_000)
        #expect(manager.rangedBeaconConstraints.isEmpty)
        #expect(!manager.isAuthorizedForWidgetUpdates)
    }

    @Test func everyCallReachesTheCore() {
        let manager = make()
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
        manager.requestWhenInUseAuthorization()
        manager.requestAlwaysAuthorization()
        manager.startUpdatingLocation()
        manager.stopUpdatingLocation()
        manager.requestLocation()
        manager.startUpdatingHeading()
        manager.stopUpdatingHeading()
        manager.startMonitoringSignificantLocationChanges()
        manager.stopMonitoringSignificantLocationChanges()
        manager.startMonitoringVisits()
        manager.stopMonitoringVisits()
        manager.startMonitoring(for: region)
        manager.stopMonitoring(for: region)
        manager.requestState(for: region)
        #expect(
            core.calls == [
                "request when in use", "request always", "start", "stop", "request", "start heading", "stop heading",
                "start changes", "stop changes", "start visits", "stop visits", "start r", "stop r", "state r",
            ])
    }

    @Test func stateIsTheCores() {
        let manager = make()
        let location = CLLocation(latitude: 1, longitude: 2)
        core.location = location
        core.heading = CLHeading()
        #expect(manager.location === location)
        #expect(manager.heading === core.heading)
        #expect(manager.authorizationStatus == .authorizedWhenInUse)
        #expect(manager.accuracyAuthorization == .reducedAccuracy)
    }

    @Test func theCoreIsNotifiedOfOptionsThatChange() {
        let manager = make()
        manager.desiredAccuracy = kCLLocationAccuracyKilometer
        manager.desiredAccuracy = kCLLocationAccuracyKilometer
        manager.distanceFilter = 50
        manager.activityType = .fitness
        manager.pausesLocationUpdatesAutomatically = false
        manager.allowsBackgroundLocationUpdates = true
        manager.showsBackgroundLocationIndicator = true
        manager.headingFilter = 5
        manager.headingOrientation = .landscapeLeft
        #expect(core.calls == Array(repeating: "options", count: 8))
        var options = LocationManagerOptions()
        options.desiredAccuracy = 1000
        options.distanceFilter = 50
        options.activityType = .fitness
        options.pausesLocationUpdatesAutomatically = false
        options.allowsBackgroundLocationUpdates = true
        options.showsBackgroundLocationIndicator = true
        options.headingFilter = 5
        options.headingOrientation = .landscapeLeft
        #expect(core.options == options)
        #expect(manager.distanceFilter == 50)
    }

    @Test(arguments: [CLDeviceOrientation.unknown, .faceUp, .faceDown])
    func orientationsWithoutAFrontAreIgnored(orientation: CLDeviceOrientation) {
        let manager = make()
        manager.headingOrientation = .landscapeRight
        manager.headingOrientation = orientation
        #expect(manager.headingOrientation == .landscapeRight)
    }

    @Test func theDelegateIsHeldWeakly() {
        final class Silent: NSObject, CLLocationManagerDelegate {}
        let manager = make()
        var delegate: Silent? = Silent()
        manager.delegate = delegate
        #expect(manager.delegate === delegate)
        #expect(core.calls == ["delegate"])
        delegate = nil
        #expect(manager.delegate == nil)
        manager.delegate = nil
        #expect(core.calls == ["delegate", "no delegate"])
    }

    @Test func availability() {
        Backend.$current.withValue(backend) {
            #expect(CLLocationManager.locationServicesEnabled())
            #expect(CLLocationManager.headingAvailable())
            #expect(!CLLocationManager.isRangingAvailable())
            #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
            backend.rangingAvailable = true
            #expect(CLLocationManager.isRangingAvailable())
            #expect(CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
        }
        #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
        #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
    }

    @Test func temporaryFullAccuracy() async throws {
        let manager = make()
        var answers: [(any Error)?] = []
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "a") { answers.append($0) }
        let askWithoutCompletion = { manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "b") }
        askWithoutCompletion()
        try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "c")
        core.fullAccuracyFailure = CLError(.promptDeclined)
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "d") { answers.append($0) }
        await #expect(throws: CLError(.promptDeclined)) {
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "e")
        }
        #expect(answers.map { ($0 as? CLError)?.code } == [nil, .promptDeclined])
        #expect(core.calls == ["a", "b", "c", "d", "e"].map { "full accuracy \($0)" })
    }

    @Test func rangingReachesTheCore() {
        let manager = make()
        let constraint = CLBeaconIdentityConstraint(uuid: UUID(), major: 7)
        manager.startRangingBeacons(satisfying: constraint)
        manager.stopRangingBeacons(satisfying: constraint)
        #expect(core.calls == ["start ranging 7", "stop ranging 7"])
        core.rangedConstraints = [constraint]
        #expect(manager.rangedBeaconConstraints == [constraint])
    }

    @Test func pushesAreUnavailable() async {
        let manager = make()
        var pushFailure: (any Error)?
        manager.startMonitoringLocationPushes { token, error in
            #expect(token == nil)
            pushFailure = error
        }
        var historyFailure: (any Error)?
        manager.requestHistoricalLocations(purposeKey: "k", sampleCount: 3) { locations, error in
            #expect(locations.isEmpty)
            historyFailure = error
        }
        core.runWaiting()
        #expect((pushFailure as? CLLocationPushServiceError)?.code == .unsupportedPlatform)
        #expect((historyFailure as? CLError)?.code == .historicalLocationError)
        await #expect(throws: CLLocationPushServiceError(.unsupportedPlatform)) {
            try await manager.startMonitoringLocationPushes()
        }
        await #expect(throws: CLError(.historicalLocationError)) {
            try await manager.requestHistoricalLocations(purposeKey: "k", sampleCount: 3)
        }
    }

    @Test func aDeallocatedManagerCallsNothing() {
        final class Delegate: NSObject, CLLocationManagerDelegate {
            var isCalled = false
            func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
                isCalled = true
            }
        }
        let delegate = Delegate()
        var manager: CLLocationManager? = make()
        manager?.delegate = delegate
        DeprecatedUpdates.calls.allow(by: manager)
        manager = nil
        #expect(core.manager == nil)
        core.runWaiting()
        #expect(!delegate.isCalled)
    }

    @Test func mocksOverride() {
        final class Mock: CLLocationManager {
            var isStarted = false
            override var authorizationStatus: CLAuthorizationStatus { .denied }
            override class func locationServicesEnabled() -> Bool { false }
            override func startUpdatingLocation() { isStarted = true }
            override var location: CLLocation? { CLLocation(latitude: 3, longitude: 4) }
        }
        let mock = Backend.$current.withValue(backend) { Mock() }
        let manager: CLLocationManager = mock
        manager.startUpdatingLocation()
        #expect(mock.isStarted)
        #expect(manager.authorizationStatus == .denied)
        #expect(manager.location?.coordinate.latitude == 3)
        #expect(!type(of: manager).locationServicesEnabled())
        #expect(core.calls.isEmpty)
    }
}

/// A call of a deprecated method. It goes through a protocol, because a direct call would cause a warning.
private protocol DeferredUpdates {
    func allow(by manager: CLLocationManager?)
}

private struct DeprecatedUpdates: DeferredUpdates {
    static var calls: any DeferredUpdates { DeprecatedUpdates() }

    @available(*, deprecated)
    func allow(by manager: CLLocationManager?) {
        manager?.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
    }
}
