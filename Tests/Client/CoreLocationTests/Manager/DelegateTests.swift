import Testing

@testable import CoreLocation

/// If two delegate methods exist for the same event, exactly one that the app implements is called.
@Suite struct DelegateTests {
    private let backend = ScriptedBackend()

    private func make() -> CLLocationManager {
        Backend.$current.withValue(backend) { CLLocationManager() }
    }

    private final class OldOnly: NSObject, CLLocationManagerDelegate {
        var statuses: [CLAuthorizationStatus] = []
        var moves: [(to: CLLocation, from: CLLocation)] = []
        func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
            statuses.append(status)
        }
        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
        ) {
            moves.append((newLocation, oldLocation))
        }
    }

    private final class Both: NSObject, CLLocationManagerDelegate {
        var calls: [String] = []
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { calls.append("new status") }
        func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
            calls.append("old status")
        }
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            calls.append("new location")
        }
        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
        ) {
            calls.append("old location")
        }
    }

    private final class Silent: NSObject, CLLocationManagerDelegate {}

    @Test func theOlderAuthorizationMethodIsReachedWithTheStatus() {
        let manager = make()
        let delegate = OldOnly()
        let erased: any CLLocationManagerDelegate = delegate
        erased.locationManagerDidChangeAuthorization(manager)
        backend.core.authorizationStatus = .denied
        erased.locationManagerDidChangeAuthorization(manager)
        #expect(delegate.statuses == [.authorizedWhenInUse, .denied])
    }

    @Test func theOlderLocationMethodIsReachedOncePerLocation() {
        let manager = make()
        let delegate = OldOnly()
        let erased: any CLLocationManagerDelegate = delegate
        let places = (0..<3).map { CLLocation(latitude: Double($0), longitude: 0) }
        erased.locationManager(manager, didUpdateLocations: [places[0]])
        erased.locationManager(manager, didUpdateLocations: [places[1], places[2]])
        #expect(delegate.moves.map(\.to) == places)
        #expect(delegate.moves.map(\.from) == [places[0], places[0], places[1]])
    }

    @Test func theNewerMethodsAreReachedWhereBothAreThere() {
        let manager = make()
        let delegate = Both()
        let erased: any CLLocationManagerDelegate = delegate
        erased.locationManagerDidChangeAuthorization(manager)
        erased.locationManager(manager, didUpdateLocations: [CLLocation()])
        #expect(delegate.calls == ["new status", "new location"])
    }

    @Test func everyMethodIsOptional() {
        let manager = make()
        let silent = Silent()
        let delegate: any CLLocationManagerDelegate = silent
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
        delegate.locationManager(manager, didUpdateLocations: [CLLocation()])
        delegate.locationManagerDidChangeAuthorization(manager)
        delegate.locationManagerDidPauseLocationUpdates(manager)
        delegate.locationManagerDidResumeLocationUpdates(manager)
        delegate.locationManager(manager, didFinishDeferredUpdatesWithError: nil)
        delegate.locationManager(manager, didUpdateHeading: CLHeading())
        delegate.locationManager(manager, didDetermineState: .inside, for: region)
        delegate.locationManager(manager, didEnterRegion: region)
        delegate.locationManager(manager, didExitRegion: region)
        delegate.locationManager(manager, didStartMonitoringFor: region)
        delegate.locationManager(manager, monitoringDidFailFor: nil, withError: CLError(.denied))
        delegate.locationManager(manager, didVisit: CLVisit())
        let constraint = CLBeaconIdentityConstraint(uuid: UUID())
        delegate.locationManager(manager, didRange: [], satisfying: constraint)
        delegate.locationManager(manager, didFailRangingFor: constraint, error: CLError(.denied))
        #expect(!delegate.locationManagerShouldDisplayHeadingCalibration(manager))
        #expect(silent.isEqual(delegate))
    }

    @Test func aSubclassOverridesWhatItsParentImplements() {
        class Parent: NSObject, CLLocationManagerDelegate {
            func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
        }
        final class Child: Parent {
            var isCalled = false
            override func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
                isCalled = true
            }
        }
        let child = Child()
        let delegate: any CLLocationManagerDelegate = child
        delegate.locationManager(make(), didUpdateLocations: [CLLocation()])
        #expect(child.isCalled)
    }
}
