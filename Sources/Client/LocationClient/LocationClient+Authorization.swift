public import LocationModel
internal import LocationProtocol
internal import Varlink

extension LocationClient {
    /// Returns the current authorization of this app.
    ///
    /// ```swift
    /// if try await client.authorization().status == .notDetermined { … }
    /// ```
    public func authorization() async throws(LocationError) -> AuthorizationState {
        try await authorizationRequest().value()
    }

    /// The authorization of this app: the current one, then each change.
    ///
    /// The stream continues across restarts of the daemon without reporting them, and then reports any change in the
    /// meantime.
    ///
    /// ```swift
    /// for try await authorization in client.authorizationChanges {
    ///     button.isEnabled = authorization.status.isAuthorized
    /// }
    /// ```
    public var authorizationChanges: LocationStream<AuthorizationState> {
        stream { AuthorizationSource() }
    }

    /// Requests authorization from the user, and waits for the answer for as long as it takes.
    ///
    /// If the user has decided already, the call returns at once; *always* prompts once more after *when in use*.
    /// Cancelling the task withdraws the request.
    ///
    /// ```swift
    /// let authorization = try await client.requestAuthorization(.always, reason: "to remind you near the shop")
    /// ```
    ///
    /// - Parameters:
    ///   - level: The access to request: while the app is in use, or always.
    ///   - reason: The purpose in the app's own words. Required without a manifest, and ignored with one.
    /// - Returns: The authorization after the answer, which may be a refusal.
    /// - Throws: ``LocationError/usageDescriptionMissing``, ``LocationError/daemonUnreachable(path:reason:)``.
    @discardableResult
    public func requestAuthorization(
        _ level: AuthorizationLevel, reason: String? = nil
    ) async throws(LocationError) -> AuthorizationState {
        try await authorizationRequest(level, reason: reason).value()
    }

    /// Requests full accuracy for a limited time, for a purpose that the app's manifest describes.
    ///
    /// The full accuracy ends once the app's last connection has been closed for 10 s.
    ///
    /// ```swift
    /// let authorization = try await client.requestTemporaryFullAccuracy(purposeKey: "Navigation")
    /// if authorization.accuracy == .full { … }
    /// ```
    ///
    /// - Parameter purposeKey: A key of the manifest's `[temporary-full-accuracy]`.
    /// - Returns: The authorization after the answer, which may be a refusal.
    /// - Throws: ``LocationError/promptDeclined`` if the user was not prompted.
    @discardableResult
    public func requestTemporaryFullAccuracy(
        purposeKey: String
    ) async throws(LocationError) -> AuthorizationState {
        try await temporaryFullAccuracyRequest(purposeKey: purposeKey).value()
    }

    /// Declares whether this process is in the background: out of the user's sight, even if the user is at the machine.
    ///
    /// The declaration holds until the next one or until this client is deallocated, also across restarts of the
    /// daemon. In the background, an app gets locations with *always*, or on streams that began in use with
    /// `allowsBackground`.
    ///
    /// ```swift
    /// try await client.setInBackground(true)  // the window was minimized
    /// ```
    public func setInBackground(_ isInBackground: Bool) async throws(LocationError) {
        try await backgroundRequest(isInBackground).value()
    }

    // MARK: Requests for callers without tasks

    /// Returns the request for ``authorization()``.
    package func authorizationRequest() -> UnsentCall<AuthorizationState> {
        quick(GetAuthorization.self, Nothing()) { $0.authorization }
    }

    /// Returns the request for ``requestAuthorization(_:reason:)``.
    package func authorizationRequest(
        _ level: AuthorizationLevel, reason: String?
    ) -> UnsentCall<AuthorizationState> {
        slow(RequestAuthorization.self, .init(level: level, reason: reason)) { $0.authorization }
    }

    /// Returns the request for ``requestTemporaryFullAccuracy(purposeKey:)``.
    package func temporaryFullAccuracyRequest(purposeKey: String) -> UnsentCall<AuthorizationState> {
        slow(RequestTemporaryFullAccuracy.self, .init(purposeKey: purposeKey)) { $0.authorization }
    }

    /// Returns the request for ``setInBackground(_:)``.
    package func backgroundRequest(_ isInBackground: Bool) -> UnsentCall<Void> {
        UnsentCall { [control] run in control.setInBackground(isInBackground) { run.finish($0) } }
    }
}
