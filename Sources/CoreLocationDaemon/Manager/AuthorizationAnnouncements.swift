internal import LocationClient

/// The rules for notifying a delegate of the authorization: once after it was set, and at every change of status or
/// accuracy.
struct AuthorizationAnnouncements {
    private var known: AuthorizationState?
    private var hasDelegate = false

    /// Handles a change of the delegate. Returns whether the new delegate must be notified at once.
    mutating func delegateChanged(hasDelegate: Bool) -> Bool {
        self.hasDelegate = hasDelegate
        return hasDelegate && known != nil
    }

    /// Handles the current authorization. Returns whether the delegate must be notified.
    mutating func authorizationChanged(to authorization: AuthorizationState) -> Bool {
        let before = known
        known = authorization
        guard hasDelegate, let before else { return hasDelegate }
        // Without authorization, there are no locations whose accuracy could matter.
        return before.status != authorization.status
            || before.accuracy != authorization.accuracy && authorization.status.isAuthorized
    }
}
