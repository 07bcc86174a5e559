internal import LocationClient

extension CLAuthorizationStatus {
    /// What the daemon tells.
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
    /// What the daemon tells.
    init(_ accuracy: AccuracyAuthorization) {
        self =
            switch accuracy {
            case .full: .fullAccuracy
            case .reduced: .reducedAccuracy
            }
    }
}
