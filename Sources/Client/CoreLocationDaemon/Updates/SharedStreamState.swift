internal import LocationClient
internal import LocationModel

/// The state of a location stream, which is reported to consumers that join it.
struct SharedStreamState {
    /// The last location, or `nil` if there is none that a consumer which joins may have.
    private(set) var last: Location?
    /// The update that reported that no locations come, or `nil` if they do.
    private(set) var interruption: LocationUpdate?
    private(set) var isPaused = false
    /// The authorization that the stream reported last, or `nil` if it has reported none.
    private var authorization: AuthorizationState?

    /// Handles an update of the stream.
    mutating func received(_ update: LocationUpdate) {
        switch update {
        case .location(let location):
            last = location
            interruption = nil
            isPaused = false
        case .paused: isPaused = true
        case .resumed: isPaused = false
        case .receiverLost, .disconnected:
            last = nil
            interruption = update
        case .receiverFound: interruption = nil
        case .reconnected:
            interruption = nil
            isPaused = false
        // Whoever joins in the background gets nothing.
        case .suspended: last = nil
        // The accuracy may be reduced now.
        case .authorizationChanged(let current):
            last = nil
            authorization = current
        case .unsuspended: break
        }
    }

    /// Handles a change of the app's authorization, which is reported on a connection of its own: earlier or later than
    /// on the stream.
    ///
    /// A location that the stream delivered after it had reported the same change is kept. With reduced accuracy it is
    /// the only one for a quarter of an hour, and a consumer that joins would wait for the next.
    mutating func authorizationChanged(to current: AuthorizationState) {
        if current != authorization { last = nil }
    }

    /// Handles the end of the stream. After a revocation, consumers that join do not receive what was received before
    /// it.
    mutating func ended() {
        last = nil
        interruption = nil
    }
}
