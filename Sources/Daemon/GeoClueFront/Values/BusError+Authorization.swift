internal import Bus
internal import LocationModel

extension BusError {
    /// Creates the error of Start for an app that may not have the location, or `nil` if it may or the user has not
    /// decided yet.
    init?(refusing authorization: Authorization, to label: String, uid: UInt32) {
        guard authorization.servicesEnabled else {
            self.init(.accessDenied, "Geolocation disabled for UID \(uid)")
            return
        }
        switch authorization.status {
        case .denied: self.init(.accessDenied, "'\(label)' disallowed for UID \(uid)")
        case .restricted: self.init(.accessDenied, "'\(label)' disallowed by configuration for UID \(uid)")
        case .notDetermined, .authorizedWhenInUse, .authorizedAlways: return nil
        }
    }
}
