import CoreLocation
import Foundation
import Synchronization
import TestSupport

/// Writes down what a manager tells.
final class RecordingDelegate: NSObject, CLLocationManagerDelegate {
    private let lines = Mutex<[String]>([])
    var told: [String] { lines.withLock { $0 } }

    private func tell(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    /// Waits for these to be told, one after the other, with others between them or not.
    func wait(for expected: String...) async throws {
        do {
            try await eventually("\(expected)") {
                var rest = expected[...]
                for line in told where line == rest.first { rest = rest.dropFirst() }
                return rest.isEmpty
            }
        } catch {
            throw Overdue(what: "\(expected) in \(told)")
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        tell("status \(manager.authorizationStatus) \(manager.accuracyAuthorization)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let isKnown = (manager.location?.timestamp ?? .distantPast) >= locations[locations.count - 1].timestamp
        for _ in locations { tell(isKnown ? "location" : "a location that the manager did not have") }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        tell("failure \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { tell("paused") }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { tell("resumed") }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        tell("heading \(Int(newHeading.magneticHeading)) \(manager.heading != nil)")
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        tell("started \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        tell("entered \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        tell("left \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        tell("state \(region.identifier) \(state)")
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        tell("region failure \(region?.identifier ?? "-") \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        tell(visit.departureDate == .distantFuture ? "arrived" : "departed")
    }
}
