public import LocationModel

/// The rules for significant changes: moves of a city block or more, at very little power.
///
/// The first location is any known location. Each further location is at least 500 m from the last delivered one and at
/// least 300 s apart from it. A location that may be wrong by more than the move is not evidence of the move.
public struct SignificantChange: Sendable, Equatable {
    /// The least distance from the last delivered location, in metres.
    public static let minimumDistance = 500.0
    /// The least time from the last delivered location, in seconds.
    public static let minimumInterval = 300.0

    /// The starting point of the next move and interval.
    public private(set) var lastDelivered: Location?

    /// Creates the rules. `lastDelivered` is the last delivered location, possibly from before a restart.
    public init(lastDelivered: Location? = nil) {
        self.lastDelivered = lastDelivered
    }

    /// Returns whether to deliver `location`. If so, the next move and interval are counted from it.
    public mutating func admits(_ location: Location) -> Bool {
        if let lastDelivered {
            // In either direction: a receiver that once reported a date in the future must not silence the monitor
            // for years.
            guard location.timestamp.seconds(since: lastDelivered.timestamp).magnitude >= Self.minimumInterval else {
                return false
            }
            let distance = location.distance(to: lastDelivered)
            guard distance >= max(Self.minimumDistance, location.horizontalAccuracy ?? 0) else { return false }
        }
        lastDelivered = location
        return true
    }

    /// Records `location` as delivered regardless of earlier ones: it is the first one of a stream.
    public mutating func restart(with location: Location) {
        lastDelivered = location
    }
}
