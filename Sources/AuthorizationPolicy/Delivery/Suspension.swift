/// Whether a stream is suspended, and the events that tell the app of it.
public struct Suspension: Sendable, Hashable {
    /// What an app is told.
    public enum Event: Sendable, Hashable {
        case suspended, unsuspended
    }

    /// A Boolean value indicating whether the app was told last that the stream is suspended.
    public private(set) var isSuspended = false

    /// A stream that delivers.
    public init() {}

    /// Follows what is due on the stream. To be called when it is opened, and when the app's presence or authorization
    /// has changed. A refusal is told otherwise: the stream ends.
    public mutating func follow(_ delivery: Delivery) -> Event? {
        guard delivery != .refuse, delivery.isDelivered == isSuspended else { return nil }
        isSuspended.toggle()
        return isSuspended ? .suspended : .unsuspended
    }
}
