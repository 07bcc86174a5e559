public import LocationModel

/// What a stream of locations tells.
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
    /// Where the device is.
    case location(Location)
    /// The device is at rest: no further locations until `resumed`. With the last location, where there is one.
    case paused(last: Location?)
    /// It moves again.
    case resumed
    /// The app is in the background, and its stream does not go on there.
    case suspended
    /// The app is in use again.
    case unsuspended
    /// No receiver has a fix: unplugged, silent, or none there.
    case receiverLost
    /// One has again.
    case receiverFound
    /// The app may have more or less than before, and still enough for this stream.
    case authorizationChanged(AuthorizationState)
    /// The daemon is gone: restarted, or stopped. The stream goes on when it is back.
    case disconnected
    /// The daemon is back; told once for each `disconnected`.
    case reconnected

    /// The location of the events that carry one.
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
