internal import LocationClient

/// When a delegate is told of the authorization: once after it was set, and at every change of status or accuracy.
struct AuthorizationAnnouncements {
    private var known: AuthorizationState?
    private var hasDelegate = false

    /// There is another delegate now, or none; whether it is to be told at once.
    mutating func delegateChanged(hasDelegate: Bool) -> Bool {
        self.hasDelegate = hasDelegate
        return hasDelegate && known != nil
    }

    /// The authorization is heard; whether it is to be told.
    mutating func heard(_ authorization: AuthorizationState) -> Bool {
        let before = known
        known = authorization
        guard hasDelegate, let before else { return hasDelegate }
        // How exact nothing is does not matter.
        return before.status != authorization.status
            || before.accuracy != authorization.accuracy && authorization.status.isAuthorized
    }
}
