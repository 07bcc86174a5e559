public import LocationModel

/// An update in a stream of locations.
///
/// ```swift
/// for try await update in client.updates() {
///     switch update {
///     case .location(let location): print(location.latitude, location.longitude)
///     case .receiverLost, .disconnected: print("waiting for a position")
///     default: break
///     }
/// }
/// ```
public enum LocationUpdate: Sendable, Equatable {
    /// The location of the device.
    case location(Location)
    /// The device is stationary: no locations follow until `resumed`. `last` is the last location, or `nil` if there
    /// is none.
    case paused(last: Location?)
    /// The device moves again.
    case resumed
    /// The app is in the background, and its stream does not continue there.
    case suspended
    /// The app is in use again.
    case unsuspended
    /// No receiver has a fix: each is unplugged or silent, or there is none. An app with reduced accuracy is notified
    /// at the end of the next search.
    case receiverLost
    /// A receiver has a fix again. An app with reduced accuracy is notified with the next location.
    case receiverFound
    /// The authorization has changed, and still suffices for this stream.
    case authorizationChanged(AuthorizationState)
    /// The daemon is gone: restarted or stopped. The stream continues when the daemon is back.
    case disconnected
    /// The daemon is back; reported once for each `disconnected`.
    case reconnected

    /// The location in the update, or `nil` if it has none.
    ///
    /// ```swift
    /// for try await update in client.updates() {
    ///     guard let location = update.location else { continue }
    ///     print(location.timestamp)
    /// }
    /// ```
    public var location: Location? {
        switch self {
        case .location(let location): location
        case .paused(let last): last
        default: nil
        }
    }
}

/// An update in a stream of region events, visits or headings.
///
/// ```swift
/// for try await case .event(let visit) in client.visits() {
///     print("since", visit.arrival)
/// }
/// ```
public enum MonitoringUpdate<Event: Sendable>: Sendable {
    /// An event of the stream's kind.
    case event(Event)
    /// The daemon is gone: restarted or stopped. The stream continues when the daemon is back.
    case disconnected
    /// The daemon is back; reported once for each `disconnected`.
    case reconnected
}

extension MonitoringUpdate: Equatable where Event: Equatable {}
