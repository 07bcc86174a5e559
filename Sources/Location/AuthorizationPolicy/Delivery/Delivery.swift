public import LocationModel

/// The delivery that is due on a subscription.
public enum Delivery: Sendable, Hashable {
    /// The location is delivered. A background delivery shows in the indicator, and the access log counts it
    /// separately.
    case deliver(inBackground: Bool)
    /// Nothing is delivered until the app is in use again.
    case suspend
    /// Nothing is delivered. The user is to be asked whether the app may have the location in the background:
    /// `AuthorizationStateMachine.promptAgain(about:at:)`. While that prompt is open, nothing is delivered either.
    case promptAgain
    /// Nothing is delivered, and the subscription ends: the app is not authorized.
    case refuse

    /// A Boolean value indicating whether anything is delivered.
    public var isDelivered: Bool {
        if case .deliver = self { true } else { false }
    }
}

/// The properties of a subscription that decide whether it continues in the background.
public struct DeliveryTerms: Sendable, Hashable {
    /// A Boolean value indicating whether the app was in use when the subscription was opened.
    public let beganInUse: Bool
    /// A Boolean value indicating whether the app requested that the subscription continue in the background, and its
    /// manifest does not rule this out.
    public let allowsBackground: Bool

    /// Creates the terms of a subscription that is being opened.
    public init(presence: Presence, allowsBackground: Bool, manifest: AppManifest? = nil) {
        beganInUse = presence == .inUse
        self.allowsBackground = allowsBackground && manifest?.background != false
    }

    /// The terms of deliveries outside subscriptions: a single location, or an event that wakes the app.
    public static let single = DeliveryTerms(presence: .background, allowsBackground: false)
}

extension AuthorizationTable {
    /// Returns the delivery that is due to an app with this presence, on a subscription with these terms.
    public func delivery(to app: AppKey, presence: Presence, terms: DeliveryTerms) -> Delivery {
        entitlement(of: app).delivery(presence: presence, terms: terms)
    }
}
