import Testing

@testable import CoreLocation

/// Calls of the delegate's methods with `?(` and `!(`, as mocks, proxies and multicast delegates make them.
@Suite struct OptionalCallTests {
    /// Records the calls of its methods.
    private final class Recorder: NSObject, CLLocationManagerDelegate {
        var calls: [String] = []

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            calls.append("locations \(locations.count)")
        }
        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
        ) {
            calls.append("location \(newLocation === oldLocation)")
        }
        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            calls.append("failure \((error as NSError).code)")
        }
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { calls.append("authorization") }
        func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
            calls.append("status \(status.rawValue)")
        }
        func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { calls.append("pause") }
        func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { calls.append("resume") }
        func locationManager(
            _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
        ) {
            calls.append("deferred \(error == nil)")
        }
        func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
            calls.append("heading")
        }
        func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { true }
        func locationManager(
            _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
        ) {
            calls.append("state \(state.rawValue) \(region.identifier)")
        }
        func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
            calls.append("enter \(region.identifier)")
        }
        func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
            calls.append("exit \(region.identifier)")
        }
        func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
            calls.append("monitoring \(region.identifier)")
        }
        func locationManager(
            _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
        ) {
            calls.append("monitoring failure \(region?.identifier ?? "-")")
        }
        func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { calls.append("visit") }
        func locationManager(
            _ manager: CLLocationManager, didRange beacons: [CLBeacon],
            satisfying beaconConstraint: CLBeaconIdentityConstraint
        ) {
            calls.append("beacons")
        }
        func locationManager(
            _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
            error: any Error
        ) {
            calls.append("ranging failure")
        }
        func locationManager(
            _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
        ) {
            calls.append("beacons in \(region.identifier)")
        }
        func locationManager(
            _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
        ) {
            calls.append("ranging failure in \(region.identifier)")
        }
    }

    private let manager = Backend.$current.withValue(ScriptedBackend()) { CLLocationManager() }
    private let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
    private let constraint = CLBeaconIdentityConstraint(uuid: UUID())
    private let beaconRegion = CLBeaconRegion(uuid: UUID(), identifier: "b")

    @Test func eachReachesTheMethodOfTheApp() {
        let recorder = Recorder()
        let delegate: (any CLLocationManagerDelegate)? = recorder
        delegate?.locationManager?(manager, didUpdateLocations: [CLLocation(), CLLocation()])
        delegate?.locationManager?(manager, didFailWithError: CLError(.denied))
        delegate?.locationManagerDidChangeAuthorization?(manager)
        delegate?.locationManagerDidPauseLocationUpdates?(manager)
        delegate?.locationManagerDidResumeLocationUpdates?(manager)
        delegate?.locationManager?(manager, didFinishDeferredUpdatesWithError: nil)
        delegate?.locationManager?(manager, didUpdateHeading: CLHeading())
        delegate?.locationManager?(manager, didDetermineState: .inside, for: region)
        delegate?.locationManager?(manager, didEnterRegion: region)
        delegate?.locationManager?(manager, didExitRegion: region)
        delegate?.locationManager?(manager, didStartMonitoringFor: region)
        delegate?.locationManager?(manager, monitoringDidFailFor: nil, withError: CLError(.denied))
        delegate?.locationManager?(manager, didVisit: CLVisit())
        delegate?.locationManager?(manager, didRange: [], satisfying: constraint)
        delegate?.locationManager?(manager, didFailRangingFor: constraint, error: CLError(.denied))
        #expect(
            recorder.calls == [
                "locations 2", "failure 1", "authorization", "pause", "resume", "deferred true", "heading", "state 1 r",
                "enter r", "exit r", "monitoring r", "monitoring failure -", "visit", "beacons", "ranging failure",
            ])
        let displays: Bool? = delegate?.locationManagerShouldDisplayHeadingCalibration?(manager)
        #expect(displays == true)
    }

    @Test func eachReachesTheDeprecatedMethodOfTheApp() {
        let recorder = Recorder()
        DeprecatedOptionalCalls.calls.make(
            recorder, manager: manager, status: .denied, location: CLLocation(), region: beaconRegion)
        #expect(recorder.calls == ["location true", "status 2", "beacons in b", "ranging failure in b"])
    }

    @Test func aForcedCallReachesTheMethodOfTheApp() {
        let recorder = Recorder()
        let delegate: any CLLocationManagerDelegate = recorder
        delegate.locationManager!(manager, didEnterRegion: region)
        delegate.locationManagerDidChangeAuthorization!(manager)
        #expect(recorder.calls == ["enter r", "authorization"])
    }

    @Test func aMethodThatIsMissingHasItsDefault() {
        final class OldOnly: NSObject, CLLocationManagerDelegate {
            var statuses: [CLAuthorizationStatus] = []
            func locationManager(
                _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
            ) {
                statuses.append(status)
            }
        }
        let old = OldOnly()
        let delegate: any CLLocationManagerDelegate = old
        let isAnswered: Void? = delegate.locationManager?(manager, didUpdateLocations: [CLLocation()])
        #expect(isAnswered != nil)
        let displays: Bool? = delegate.locationManagerShouldDisplayHeadingCalibration?(manager)
        #expect(displays == false)
        // The default of the newer method calls the older one.
        delegate.locationManagerDidChangeAuthorization?(manager)
        #expect(old.statuses == [.authorizedWhenInUse])
    }

    @Test func noDelegateIsCalledWithoutOne() {
        let delegate: (any CLLocationManagerDelegate)? = nil
        let isAnswered: Void? = delegate?.locationManager?(manager, didUpdateLocations: [])
        #expect(isAnswered == nil)
    }

    @Test func aMethodOfASubclassIsReached() {
        class Parent: NSObject, CLLocationManagerDelegate {
            func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
        }
        final class Child: Parent {
            var isTold = false
            override func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { isTold = true }
        }
        let child = Child()
        let delegate: any CLLocationManagerDelegate = child
        delegate.locationManager?(manager, didVisit: CLVisit())
        #expect(child.isTold)
    }

    /// A class that is its own delegate mostly has its manager in a property of the methods' name.
    @Test func aPropertyOfTheSameNameIsTheOneOfTheClass() {
        final class Owner: NSObject, CLLocationManagerDelegate {
            let locationManager: CLLocationManager
            var count = 0

            init(_ manager: CLLocationManager) {
                locationManager = manager
                super.init()
                locationManager.delegate = self
            }

            func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
                let own = locationManager
                if manager === own { count += locations.count }
            }
        }
        let owner = Owner(manager)
        let own = owner.locationManager
        #expect(own === manager)
        manager.delegate?.locationManager?(manager, didUpdateLocations: [CLLocation()])
        owner.locationManager(owner.locationManager, didUpdateLocations: [CLLocation()])
        #expect(owner.count == 2)
    }
}

/// Calls of deprecated methods, through a protocol, of which only the implementation is deprecated: direct calls would
/// cause warnings.
private protocol DeprecatedCalling {
    func make(
        _ delegate: any CLLocationManagerDelegate, manager: CLLocationManager, status: CLAuthorizationStatus,
        location: CLLocation, region: CLBeaconRegion)
}

private struct DeprecatedOptionalCalls: DeprecatedCalling {
    static var calls: any DeprecatedCalling { DeprecatedOptionalCalls() }

    @available(*, deprecated)
    func make(
        _ delegate: any CLLocationManagerDelegate, manager: CLLocationManager, status: CLAuthorizationStatus,
        location: CLLocation, region: CLBeaconRegion
    ) {
        delegate.locationManager?(manager, didUpdateTo: location, from: location)
        delegate.locationManager?(manager, didChangeAuthorization: status)
        delegate.locationManager?(manager, didRangeBeacons: [], in: region)
        delegate.locationManager?(manager, rangingBeaconsDidFailFor: region, withError: CLError(.rangingUnavailable))
    }
}
