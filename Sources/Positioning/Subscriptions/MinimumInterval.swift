internal import LocationModel

/// Suppresses locations that follow the last delivered one too soon.
struct MinimumInterval {
    /// The least time between two delivered locations, by their own timestamps, in seconds. `nil` admits everything.
    let seconds: Double?

    /// Epochs of a receiver do not fall on exact multiples: half of a 25 Hz receiver's period is forgiven.
    static let tolerance = 0.02

    /// Returns whether `location` may follow `lastDelivered`.
    func admits(_ location: Location, after lastDelivered: Delivered?) -> Bool {
        guard let seconds, let lastDelivered else { return true }
        // Either way: an app does not wait for years because a receiver once told a date in the future.
        return location.timestamp.seconds(since: lastDelivered.timestamp).magnitude >= seconds - Self.tolerance
    }
}
