import CoreLocation
import Foundation
import Synchronization
import TestSupport

/// A delegate that records the callbacks of a manager.
final class RecordingDelegate: NSObject, CLLocationManagerDelegate {
    private let lines = Mutex<[String]>([])
    var callbacks: [String] { lines.withLock { $0 } }

    /// The thread of a running call that must not cause callbacks.
    private let silentThread = Mutex<pthread_t?>(nil)

    private func record(_ line: String) {
        let isNested = silentThread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        lines.withLock { $0.append(isNested ? "from within a call: \(line)" : line) }
    }

    /// Makes a call. Callbacks from within it, on the same thread, are marked. Callbacks on other threads are not.
    func during(_ call: () -> Void) {
        silentThread.withLock { $0 = pthread_self() }
        call()
        silentThread.withLock { $0 = nil }
    }

    /// Waits for these callbacks in this order, with or without others between them.
    func wait(for expected: String...) async throws {
        do {
            try await eventually("\(expected)") {
                var rest = expected[...]
                for line in callbacks where line == rest.first { rest = rest.dropFirst() }
                return rest.isEmpty
            }
        } catch {
            throw Overdue(what: "\(expected) in \(callbacks)")
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        record("status \(manager.authorizationStatus) \(manager.accuracyAuthorization)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let isKnown = (manager.location?.timestamp ?? .distantPast) >= locations[locations.count - 1].timestamp
        for _ in locations { record(isKnown ? "location" : "a location that the manager did not have") }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        record("failure \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { record("paused") }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { record("resumed") }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        record("heading \(Int(newHeading.magneticHeading)) \(manager.heading != nil)")
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        record("started \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        record("entered \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        record("left \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        record("state \(region.identifier) \(state)")
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        record("region failure \(region?.identifier ?? "-") \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        record(visit.departureDate == .distantFuture ? "arrived" : "departed")
    }
}
