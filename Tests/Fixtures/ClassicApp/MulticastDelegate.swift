import CoreLocation

/// Passes the events of a manager on to several delegates, with the optional calls that Apple's protocol demands.
class MulticastDelegate: NSObject, CLLocationManagerDelegate {
    private struct Receiver {
        weak var delegate: CLLocationManagerDelegate?
    }

    private var receivers: [Receiver] = []

    func add(_ delegate: CLLocationManagerDelegate) {
        receivers.append(Receiver(delegate: delegate))
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        receivers.forEach { $0.delegate?.locationManagerDidChangeAuthorization?(manager) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        receivers.forEach { $0.delegate?.locationManager?(manager, didUpdateLocations: locations) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        receivers.forEach { $0.delegate?.locationManager?(manager, didFailWithError: error) }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        receivers.forEach { $0.delegate?.locationManagerDidPauseLocationUpdates?(manager) }
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        receivers.forEach { $0.delegate?.locationManagerDidResumeLocationUpdates?(manager) }
    }
}
