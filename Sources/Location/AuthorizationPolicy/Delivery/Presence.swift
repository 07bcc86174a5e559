public import LocationModel

/// The presence of an app: in use by the user at the machine, or in the background.
public enum Presence: String, Sendable, Hashable, Codable, CaseIterable {
    case inUse, background

    /// Determines the presence of a peer.
    ///
    /// - Parameters:
    ///   - isInActiveSession: A Boolean value indicating whether the peer belongs to an active login session, or to
    ///     the user manager of a user who has an active session (logind). `true` for every peer on a machine without
    ///     logind.
    ///   - hasDeclaredBackground: A Boolean value indicating whether the app declared itself to be in the background.
    public init(of app: AppIdentity, isInActiveSession: Bool, hasDeclaredBackground: Bool) {
        // A system service is never in use, no matter who is at the machine.
        self = app.kind != .service && isInActiveSession && !hasDeclaredBackground ? .inUse : .background
    }
}

/// The suspended state of a subscription, and the events that report it to the app.
public struct Suspension: Sendable, Hashable {
    /// An event that is reported to the app.
    public enum Event: Sendable, Hashable {
        case suspended, unsuspended
    }

    /// A Boolean value indicating whether the last event reported the subscription as suspended.
    public private(set) var isSuspended = false

    /// Creates the state of a subscription that is delivering.
    public init() {}

    /// Updates the state for the delivery that is due. Returns the event to report, or `nil` if the state is unchanged.
    ///
    /// Call this when the subscription is opened, and when the app's presence or authorization has changed. A refusal
    /// is not an event: the subscription ends instead.
    public mutating func follow(_ delivery: Delivery) -> Event? {
        guard delivery != .refuse, delivery.isDelivered == isSuspended else { return nil }
        isSuspended.toggle()
        return isSuspended ? .suspended : .unsuspended
    }
}
