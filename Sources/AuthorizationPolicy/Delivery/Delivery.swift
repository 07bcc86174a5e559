public import LocationModel

/// What of a location is due on a stream now.
public enum Delivery: Sendable, Hashable {
    /// It is delivered. In the background the indicator shows it, and the access log counts it so.
    case deliver(inBackground: Bool)
    /// Nothing, until the app is in use again.
    case suspend
    /// Nothing, and the user is to be asked whether the app may have it in the background:
    /// `AuthorizationMachine.askAgain(about:at:)`. Nothing either while that question is open.
    case askAgain
    /// Nothing, and the stream ends: the app is not authorized.
    case refuse

    /// A Boolean value indicating whether anything is delivered.
    public var isDelivered: Bool {
        if case .deliver = self { true } else { false }
    }
}

/// What about a stream decides whether it goes on in the background.
public struct DeliveryTerms: Sendable, Hashable {
    /// A Boolean value indicating whether the app was in use when the stream was opened.
    public let beganInUse: Bool
    /// A Boolean value indicating whether the app asked for the stream to go on in the background, and its manifest
    /// lets it.
    public let allowsBackground: Bool

    /// The terms of a stream that is opened now.
    public init(presence: Presence, allowsBackground: Bool, manifest: AppManifest? = nil) {
        beganInUse = presence == .inUse
        self.allowsBackground = allowsBackground && manifest?.background != false
    }

    /// The terms of what belongs to no stream: a single location, an event that wakes the app up.
    public static let single = DeliveryTerms(presence: .background, allowsBackground: false)
}

extension AuthorizationTable {
    /// What of a location is due to an app of that presence, on a stream of those terms.
    public func delivery(to app: AppKey, presence: Presence, terms: DeliveryTerms) -> Delivery {
        entitlement(of: app).delivery(presence: presence, terms: terms)
    }
}
