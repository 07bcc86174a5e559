internal import LocationClient
internal import LocationModel

/// The state of a location stream, for consumers that join it.
struct SharedStreamState {
    /// The last location, or `nil` if there is none that a joining consumer may have.
    private(set) var last: Location?
    /// The update that reported an interruption, or `nil` if locations are arriving.
    private(set) var interruption: LocationUpdate?
    private(set) var isPaused = false
    /// The authorization last reported by the stream, or `nil` if there is none.
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
        // A consumer joining in the background gets nothing.
        case .suspended: last = nil
        // The accuracy may be reduced now.
        case .authorizationChanged(let current):
            last = nil
            authorization = current
        case .unsuspended: break
        }
    }

    /// Handles a change of the app's authorization, which is reported on a separate connection: earlier or later than
    /// on the stream.
    ///
    /// A location delivered after the stream reported the same change is kept. With reduced accuracy it is the only one
    /// for a quarter of an hour, and a joining consumer would wait for the next.
    mutating func authorizationChanged(to current: AuthorizationState) {
        if current != authorization { last = nil }
    }

    /// Handles the end of the stream. After a revocation, joining consumers do not receive earlier locations.
    mutating func ended() {
        last = nil
        interruption = nil
    }
}
