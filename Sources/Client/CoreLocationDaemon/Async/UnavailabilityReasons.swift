internal import LocationClient

/// The reasons why an app receives no locations, as reported by updates, monitors and sessions.
struct UnavailabilityReasons: Equatable {
    var authorizationDenied = false
    var authorizationDeniedGlobally = false
    var authorizationRestricted = false
    var insufficientlyInUse = false
    var serviceSessionRequired = false
    var authorizationRequestInProgress = false

    /// Creates an empty set of reasons.
    init() {}

    /// Creates the reasons that follow from an authorization.
    ///
    /// - Parameter isRequesting: A Boolean value indicating whether the user is being prompted.
    init(_ authorization: AuthorizationState, isRequesting: Bool) {
        guard authorization != .daemonUnreachable else { return }
        switch authorization.status {
        case .denied:
            authorizationDenied = true
            authorizationDeniedGlobally = !authorization.servicesEnabled
        case .restricted: authorizationRestricted = true
        case .notDetermined:
            authorizationRequestInProgress = isRequesting
            serviceSessionRequired = !isRequesting
        case .authorizedWhenInUse, .authorizedAlways: break
        }
    }
}
