import CoreLocation
import Foundation

class LocationViewController: NSObject, CLLocationManagerDelegate {
    private let locationManager = CLLocationManager()
    private let delegates = MulticastDelegate()
    private var isUpdating = false

    func viewDidLoad() {
        delegates.add(self)
        locationManager.delegate = delegates
        locationManager.desiredAccuracy = kCLLocationAccuracyBest
        locationManager.distanceFilter = kCLDistanceFilterNone
        locationManager.pausesLocationUpdatesAutomatically = false
    }

    func viewWillAppear() {
        guard CLLocationManager.locationServicesEnabled() else {
            showAlert("Location Services are disabled")
            return
        }
        locationManager.startUpdatingLocation()
    }

    func viewDidDisappear() {
        locationManager.stopUpdatingLocation()
    }

    private func showAlert(_ message: String) {
        print("alert: \(message)")
    }

    private func show(_ status: CLAuthorizationStatus) {
        switch status {
        case .notDetermined:
            print("status: not determined")
        case .restricted:
            print("status: restricted")
            showAlert("Location use is restricted")
        case .denied:
            print("status: denied")
            showAlert("Please enable location in Settings")
        case .authorizedWhenInUse:
            print("status: when in use")
        case .authorizedAlways:
            print("status: always")
        @unknown default:
            fatalError("unknown status")
        }
    }

    // MARK: - CLLocationManagerDelegate

    // iOS 14 and later
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        show(manager.authorizationStatus)
        guard manager.authorizationStatus == .authorizedWhenInUse || manager.authorizationStatus == .authorizedAlways
        else { return }
        switch manager.accuracyAuthorization {
        case .fullAccuracy:
            print("accuracy: full")
        case .reducedAccuracy:
            print("accuracy: reduced")
            manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigation") { error in
                print("temporary: \(error.map { "error \(($0 as NSError).code)" } ?? "asked")")
            }
        @unknown default:
            break
        }
    }

    // iOS 13 and earlier
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        print("old status: \(status.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let location = locations.last else { return }
        let isNewest = manager.location === location
        print(String(format: "location: %.2f %.2f", location.coordinate.latitude, location.coordinate.longitude))
        if !isNewest, (manager.location?.timestamp ?? .distantPast) < location.timestamp {
            print("error: the manager's location is older")
        }
        if !Thread.isMainThread { print("error: not on the main thread") }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if let error = error as? CLError {
            switch error.code {
            case .locationUnknown:
                print("failure: unknown, keep waiting")
            case .denied:
                print("failure: denied \((error as NSError).domain) \((error as NSError).code)")
            default:
                print("failure: \(error.localizedDescription)")
            }
        }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        print("paused")
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        print("resumed")
    }
}
