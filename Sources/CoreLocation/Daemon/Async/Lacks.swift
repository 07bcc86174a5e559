internal import LocationClient

/// Why an app gets nothing: what updates, monitors and sessions tell alike.
struct Lacks: Equatable {
    var authorizationDenied = false
    var authorizationDeniedGlobally = false
    var authorizationRestricted = false
    var insufficientlyInUse = false
    var serviceSessionRequired = false
    var authorizationRequestInProgress = false

    /// Nothing.
    init() {}

    /// - Parameter isAsking: whether the user is being asked.
    init(_ authorization: AuthorizationState, isAsking: Bool) {
        guard authorization != .unheard else { return }
        switch authorization.status {
        case .denied:
            authorizationDenied = true
            authorizationDeniedGlobally = !authorization.servicesEnabled
        case .restricted: authorizationRestricted = true
        case .notDetermined:
            authorizationRequestInProgress = isAsking
            serviceSessionRequired = !isAsking
        case .authorizedWhenInUse, .authorizedAlways: break
        }
    }
}
