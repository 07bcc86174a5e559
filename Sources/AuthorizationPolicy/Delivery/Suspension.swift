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

    /// Follows the delivery that is due. Returns the event to report, or `nil` if there is nothing new.
    ///
    /// Call this when the subscription is opened, and when the app's presence or authorization has changed. A refusal
    /// is not an event: the subscription ends instead.
    public mutating func follow(_ delivery: Delivery) -> Event? {
        guard delivery != .refuse, delivery.isDelivered == isSuspended else { return nil }
        isSuspended.toggle()
        return isSuspended ? .suspended : .unsuspended
    }
}
