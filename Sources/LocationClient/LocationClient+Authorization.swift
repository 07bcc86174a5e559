public import LocationModel
internal import LocationProtocol
internal import Varlink

extension LocationClient {
    /// What this app may have at this moment.
    ///
    /// ```swift
    /// if try await client.authorization().status == .notDetermined { … }
    /// ```
    public func authorization() async throws(LocationError) -> AuthorizationState {
        try await authorizationRequest().value()
    }

    /// What this app may have: now, and at every change.
    ///
    /// It goes on through restarts of the daemon without a word, and tells what has changed meanwhile.
    ///
    /// ```swift
    /// for try await authorization in client.authorizationChanges {
    ///     button.isEnabled = authorization.status.isAuthorized
    /// }
    /// ```
    public var authorizationChanges: LocationStream<AuthorizationState> {
        stream { AuthorizationSource() }
    }

    /// Asks the user for the location, and waits for the answer, for as long as it takes.
    ///
    /// Where it is decided already it answers at once; *always* asks once more after *when in use*. Cancelling the task
    /// takes the question back.
    ///
    /// ```swift
    /// let authorization = try await client.requestAuthorization(.always, reason: "to remind you near the shop")
    /// ```
    ///
    /// - Parameters:
    ///   - level: While the app is in use, or always.
    ///   - reason: What the app wants it for, in its own words; needed where it has no manifest, not used where it has.
    /// - Returns: What holds after the answer, which may be no.
    /// - Throws: ``LocationError/usageDescriptionMissing``, or that the daemon is unreachable.
    @discardableResult
    public func requestAuthorization(
        _ level: AuthorizationLevel, reason: String? = nil
    ) async throws(LocationError) -> AuthorizationState {
        try await authorizationRequest(level, reason: reason).value()
    }

    /// Asks the user for full accuracy for a while, for a purpose that the app's manifest describes.
    ///
    /// It ends when this app's last connection has been closed for 10 s.
    ///
    /// ```swift
    /// let authorization = try await client.requestTemporaryFullAccuracy(purposeKey: "Navigation")
    /// if authorization.accuracy == .full { … }
    /// ```
    ///
    /// - Parameter purposeKey: A key of the manifest's `[temporary-full-accuracy]`.
    /// - Returns: What holds after the answer, which may be no.
    /// - Throws: ``LocationError/promptDeclined`` where nobody was asked.
    @discardableResult
    public func requestTemporaryFullAccuracy(
        purposeKey: String
    ) async throws(LocationError) -> AuthorizationState {
        try await temporaryFullAccuracyRequest(purposeKey: purposeKey).value()
    }

    /// Says that this process is in the background, or no longer: that nobody looks at it, whoever is at the machine.
    ///
    /// It holds until it says otherwise or this client goes away, and through restarts of the daemon. In the background
    /// an app gets locations with *always*, or on streams that began in use with `allowsBackground`.
    ///
    /// ```swift
    /// try await client.setInBackground(true)  // the window was minimized
    /// ```
    public func setInBackground(_ isInBackground: Bool) async throws(LocationError) {
        try await backgroundRequest(isInBackground).value()
    }

    // MARK: The same for callers without tasks

    /// ``authorization()``.
    package func authorizationRequest() -> LocationRequest<AuthorizationState> {
        quick(GetAuthorization.self, Nothing()) { $0.authorization }
    }

    /// ``requestAuthorization(_:reason:)``.
    package func authorizationRequest(
        _ level: AuthorizationLevel, reason: String?
    ) -> LocationRequest<AuthorizationState> {
        slow(RequestAuthorization.self, .init(level: level, reason: reason)) { $0.authorization }
    }

    /// ``requestTemporaryFullAccuracy(purposeKey:)``.
    package func temporaryFullAccuracyRequest(purposeKey: String) -> LocationRequest<AuthorizationState> {
        slow(RequestTemporaryFullAccuracy.self, .init(purposeKey: purposeKey)) { $0.authorization }
    }

    /// ``setInBackground(_:)``.
    package func backgroundRequest(_ isInBackground: Bool) -> LocationRequest<Void> {
        LocationRequest { [control] run in control.setInBackground(isInBackground) { run.finish($0) } }
    }
}
