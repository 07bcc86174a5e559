import Dispatch

/// A manager's core on a machine without a location service.
final class AbsentManagerCore: LocationManagerCore {
    var authorizationStatus: CLAuthorizationStatus { .notDetermined }
    var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    var location: CLLocation? { nil }
    var heading: CLHeading? { nil }
    var monitoredRegions: Set<CLRegion> { [] }

    func attach(to manager: CLLocationManager) {}
    func delegateChanged() {}
    func optionsChanged(_ options: LocationManagerOptions) {}
    func perform(_ body: @escaping () -> Void) {
        nonisolated(unsafe) let body = body
        DispatchQueue.main.async { body() }
    }

    func requestAuthorization(always: Bool) {}
    func requestTemporaryFullAccuracy(purposeKey: String, completion: @escaping ((any Error)?) -> Void) {
        perform { completion(CLError(.promptDeclined)) }
    }

    func startUpdatingLocation() {}
    func stopUpdatingLocation() {}
    func requestLocation() {}
    func startUpdatingHeading() {}
    func stopUpdatingHeading() {}
    func startMonitoringSignificantLocationChanges() {}
    func stopMonitoringSignificantLocationChanges() {}
    func startMonitoringVisits() {}
    func stopMonitoringVisits() {}
    func startMonitoring(for region: CLRegion) {}
    func stopMonitoring(for region: CLRegion) {}
    func requestState(for region: CLRegion) {}
}
