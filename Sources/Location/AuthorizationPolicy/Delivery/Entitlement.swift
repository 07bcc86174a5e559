public import LocationModel

/// An app's authorization in the table at one moment, looked up once for all deliveries to the app that follow.
///
/// Code that keeps an entitlement checks ``AuthorizationTable/isCurrent(_:)`` before each use.
public struct Entitlement: Sendable {
    /// The app.
    public let app: AppKey
    /// The authorization that the app sees.
    public let authorization: Authorization
    /// A Boolean value indicating whether the app sees `authorizedAlways`, but receives nothing in the background
    /// until the user has confirmed it at a second prompt.
    let isProvisional: Bool
    /// The generation of the table that the entitlement comes from.
    let generation: UInt64

    /// Returns the delivery that is due to the app with this presence, on a subscription with these terms.
    ///
    /// In use, the app gets what was granted. In the background, it depends on the grant: `always` allows everything,
    /// "while in use" allows subscriptions that began in use with `allowsBackground`, and a provisional `always` allows
    /// nothing until the user has confirmed it.
    public func delivery(presence: Presence, terms: DeliveryTerms) -> Delivery {
        guard authorization.status.isAuthorized else { return .refuse }
        if presence == .inUse { return .deliver(inBackground: false) }
        if isProvisional { return .promptAgain }
        if authorization.status == .authorizedAlways || (terms.beganInUse && terms.allowsBackground) {
            return .deliver(inBackground: true)
        }
        return .suspend
    }
}

extension AuthorizationTable {
    /// Returns the app's current entitlement.
    public func entitlement(of app: AppKey) -> Entitlement {
        Entitlement(
            app: app, authorization: authorization(of: app), isProvisional: isProvisional(app), generation: generation)
    }

    /// Returns whether the table is unchanged since the entitlement was looked up.
    public func isCurrent(_ entitlement: Entitlement) -> Bool { entitlement.generation == generation }
}
