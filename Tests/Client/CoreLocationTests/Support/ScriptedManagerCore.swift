@testable import CoreLocation

/// A core that returns the values a test has set, and records the calls it receives. For use on one thread.
final class ScriptedManagerCore: LocationManagerCore {
    var authorizationStatus = CLAuthorizationStatus.authorizedWhenInUse
    var accuracyAuthorization = CLAccuracyAuthorization.reducedAccuracy
    var location: CLLocation?
    var heading: CLHeading?
    var monitoredRegions: Set<CLRegion> = []
    /// The error that a request for temporary full accuracy completes with, or `nil` for success.
    var fullAccuracyFailure: (any Error)?

    private(set) weak var manager: CLLocationManager?
    private(set) var calls: [String] = []
    private(set) var options = LocationManagerOptions()
    private var waiting: [() -> Void] = []

    /// Runs the pending bodies, as the manager's thread would.
    func runWaiting() {
        let bodies = waiting
        waiting = []
        for body in bodies { body() }
    }

    func attach(to manager: CLLocationManager) { self.manager = manager }
    func delegateChanged() { calls.append(manager?.delegate == nil ? "no delegate" : "delegate") }
    func optionsChanged(_ options: LocationManagerOptions) {
        self.options = options
        calls.append("options")
    }
    func perform(_ body: @escaping () -> Void) { waiting.append(body) }
    func requestAuthorization(always: Bool) { calls.append(always ? "request always" : "request when in use") }
    func requestTemporaryFullAccuracy(purposeKey: String, completion: @escaping ((any Error)?) -> Void) {
        calls.append("full accuracy \(purposeKey)")
        completion(fullAccuracyFailure)
    }
    func startUpdatingLocation() { calls.append("start") }
    func stopUpdatingLocation() { calls.append("stop") }
    func requestLocation() { calls.append("request") }
    func startUpdatingHeading() { calls.append("start heading") }
    func stopUpdatingHeading() { calls.append("stop heading") }
    func startMonitoringSignificantLocationChanges() { calls.append("start changes") }
    func stopMonitoringSignificantLocationChanges() { calls.append("stop changes") }
    func startMonitoringVisits() { calls.append("start visits") }
    func stopMonitoringVisits() { calls.append("stop visits") }
    func startMonitoring(for region: CLRegion) { calls.append("start \(region.identifier)") }
    func stopMonitoring(for region: CLRegion) { calls.append("stop \(region.identifier)") }
    func requestState(for region: CLRegion) { calls.append("state \(region.identifier)") }
    var rangedConstraints: Set<CLBeaconIdentityConstraint> = []
    var rangedRegions: Set<CLRegion> = []
    func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        calls.append("start ranging \(constraint.major ?? 0)")
    }
    func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        calls.append("stop ranging \(constraint.major ?? 0)")
    }
    func startRangingBeacons(in region: CLBeaconRegion) { calls.append("start ranging \(region.identifier)") }
    func stopRangingBeacons(in region: CLBeaconRegion) { calls.append("stop ranging \(region.identifier)") }
}
