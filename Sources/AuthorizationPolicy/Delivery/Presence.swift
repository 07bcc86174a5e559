public import LocationModel

/// The presence of an app: in use by the user at the machine, or in the background.
public enum Presence: String, Sendable, Hashable, Codable, CaseIterable {
    case inUse, background

    /// Determines the presence of a peer.
    ///
    /// - Parameters:
    ///   - isInActiveSession: A Boolean value indicating whether the peer belongs to an active login session, or to
    ///     the user manager of a user who has one (logind); `true` for every peer on a machine without logind.
    ///   - hasDeclaredBackground: A Boolean value indicating whether the app declared itself to be in the background.
    public init(of app: AppIdentity, isInActiveSession: Bool, hasDeclaredBackground: Bool) {
        // A system service is never in use, no matter who is at the machine.
        self = app.kind != .service && isInActiveSession && !hasDeclaredBackground ? .inUse : .background
    }
}
