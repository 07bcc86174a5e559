@testable import CoreLocation

/// A core of which a test says what it tells, and which remembers what it was asked. For one thread.
final class ScriptedManagerCore: LocationManagerCore {
    var authorizationStatus = CLAuthorizationStatus.authorizedWhenInUse
    var accuracyAuthorization = CLAccuracyAuthorization.reducedAccuracy
    var location: CLLocation?
    var heading: CLHeading?
    var monitoredRegions: Set<CLRegion> = []
    /// What a request for temporary full accuracy ends with.
    var fullAccuracyFailure: (any Error)?

    private(set) weak var manager: CLLocationManager?
    private(set) var calls: [String] = []
    private(set) var options = LocationManagerOptions()
    private var waiting: [() -> Void] = []

    /// Does what waits to be done on the manager's thread.
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
}
