internal import CoreLocation
internal import LocationClient

/// The state machine of live updates, which report each location, and each reason for its absence once.
struct LiveUpdatesStateMachine {
    private var reasons = UnavailabilityReasons()
    private var isLimited = false
    private var last: CLLocation?
    private var isUnavailable = false

    /// Handles the current authorization. Returns the update to report, or `nil` if there is none.
    mutating func authorizationChanged(to authorization: AuthorizationState, isRequesting: Bool) -> CLLocationUpdate? {
        let isLimited = authorization.status.isAuthorized && authorization.accuracy == .reduced
        var reasons = UnavailabilityReasons(authorization, isRequesting: isRequesting)
        // A change of the authorization does not bring the app into use.
        reasons.insufficientlyInUse = self.reasons.insufficientlyInUse
        let isNew = reasons != self.reasons || isLimited != self.isLimited
        // A pause must not repeat a location that the app may no longer have.
        if !authorization.status.isAuthorized || isLimited && !self.isLimited { last = nil }
        self.reasons = reasons
        self.isLimited = isLimited
        return isNew && (isLimited || reasons != UnavailabilityReasons()) ? update() : nil
    }

    /// Handles an element of the daemon's stream. Returns the update to report, or `nil` if there is none.
    mutating func received(_ update: LocationUpdate) -> CLLocationUpdate? {
        switch update {
        case .location(let value):
            let location = CLLocation(value)
            last = location
            isUnavailable = false
            return self.update(location)
        case .paused(let value):
            var update = self.update(value.map { CLLocation($0) } ?? last)
            update.stationary = true
            return update
        case .suspended:
            reasons.insufficientlyInUse = true
            return self.update()
        case .unsuspended:
            reasons.insufficientlyInUse = false
            return nil
        case .receiverLost, .disconnected: return unavailable()
        case .resumed, .receiverFound, .reconnected, .authorizationChanged: return nil
        }
    }

    /// Handles the loss of the location. Returns the update to report, or `nil` if it has been reported.
    mutating func unavailable() -> CLLocationUpdate? {
        guard !isUnavailable else { return nil }
        isUnavailable = true
        return update()
    }

    private func update(_ location: CLLocation? = nil) -> CLLocationUpdate {
        var update = CLLocationUpdate()
        update.location = location
        update.accuracyLimited = isLimited
        update.locationUnavailable = isUnavailable
        update.authorizationDenied = reasons.authorizationDenied
        update.authorizationDeniedGlobally = reasons.authorizationDeniedGlobally
        update.authorizationRestricted = reasons.authorizationRestricted
        update.insufficientlyInUse = reasons.insufficientlyInUse
        update.serviceSessionRequired = reasons.serviceSessionRequired
        update.authorizationRequestInProgress = reasons.authorizationRequestInProgress
        return update
    }
}
