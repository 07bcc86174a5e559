internal import CoreLocation
internal import LocationClient

extension CLAuthorizationStatus {
    /// Creates the value that corresponds to the daemon's.
    init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorizedWhenInUse: .authorizedWhenInUse
            case .authorizedAlways: .authorizedAlways
            }
    }
}

extension CLAccuracyAuthorization {
    /// Creates the value that corresponds to the daemon's.
    init(_ accuracy: AccuracyAuthorization) {
        self =
            switch accuracy {
            case .full: .fullAccuracy
            case .reduced: .reducedAccuracy
            }
    }
}
