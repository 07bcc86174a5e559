internal import LocationModel

/// A filter that suppresses locations that follow the last delivered one too soon.
struct MinimumInterval {
    /// The least time between two delivered locations by their own timestamps, in seconds. `nil` admits everything.
    let seconds: Double?

    /// The time by which a location may be early, in seconds: half the period of a 25 Hz receiver, because epochs
    /// do not fall on exact multiples.
    static let tolerance = 0.02

    /// The same for an interval in which the receivers are closed, in seconds. They are opened for one fix: if that
    /// came too early by the difference between two delays, the next would come after another interval.
    static let toleranceOfClosedReceivers = 0.5

    private var tolerance: Double {
        (seconds ?? 0) < DutyCycle.closingInterval ? Self.tolerance : Self.toleranceOfClosedReceivers
    }

    /// Returns whether `location` may follow `lastDelivered`.
    func admits(_ location: Location, after lastDelivered: Delivered?) -> Bool {
        guard let seconds, let lastDelivered else { return true }
        // In either direction: an app must not wait for years because a receiver once reported a date in the future.
        return location.timestamp.seconds(since: lastDelivered.timestamp).magnitude >= seconds - tolerance
    }
}
