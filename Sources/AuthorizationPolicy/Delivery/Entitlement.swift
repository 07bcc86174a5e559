public import LocationModel

/// The authorization of an app as the table had it at one moment: looked up once for all that is delivered to the app then.
///
/// Whoever keeps one asks ``AuthorizationTable/isCurrent(_:)`` before each use.
public struct Entitlement: Sendable {
    /// The app.
    public let app: AppKey
    /// The authorization that it sees.
    public let authorization: Authorization
    /// A Boolean value indicating whether the app sees `authorizedAlways`, but gets nothing in the background before the user
    /// was asked again.
    let isProvisional: Bool
    /// The generation of the table that it is from.
    let generation: UInt64

    /// Returns what of a location is due to the app with that presence, on a stream of those terms.
    ///
    /// In use: what was granted. In the background: with `always` everything; with "while in use" a stream with
    /// `allowsBackground` that began in use; with a provisional `always` nothing before the user was asked again.
    public func delivery(presence: Presence, terms: DeliveryTerms) -> Delivery {
        guard authorization.status.isAuthorized else { return .refuse }
        if presence == .inUse { return .deliver(inBackground: false) }
        if isProvisional { return .askAgain }
        if authorization.status == .authorizedAlways || (terms.beganInUse && terms.allowsBackground) {
            return .deliver(inBackground: true)
        }
        return .suspend
    }
}

extension AuthorizationTable {
    /// Returns what an app may have now.
    public func entitlement(of app: AppKey) -> Entitlement {
        Entitlement(
            app: app, authorization: authorization(of: app), isProvisional: isProvisional(app), generation: generation)
    }

    /// Returns whether nothing has changed in the table since the entitlement was looked up.
    public func isCurrent(_ entitlement: Entitlement) -> Bool { entitlement.generation == generation }
}
