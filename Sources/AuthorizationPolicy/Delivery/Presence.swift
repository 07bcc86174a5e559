public import LocationModel

/// Whether a user has to do with an app at the moment.
public enum Presence: String, Sendable, Hashable, Codable, CaseIterable {
    case inUse, background

    /// The presence of a peer.
    ///
    /// - Parameters:
    ///   - isInActiveSession: whether it belongs to an active login session, or to the user manager of a user whose
    ///     state is active (logind); `true` for every peer where there is no logind.
    ///   - hasDeclaredBackground: whether the app says itself that it is in the background.
    public init(of app: AppIdentity, isInActiveSession: Bool, hasDeclaredBackground: Bool) {
        // A system service is never in use, whoever is at the machine.
        self = app.kind != .service && isInActiveSession && !hasDeclaredBackground ? .inUse : .background
    }
}
