public import LocationModel

/// Tells of moves of a city block and more, for next to no power.
///
/// First whatever is known; then a location at least 500 m from the last delivered one and at least 300 s after it. One that
/// may be off by more than the move is no evidence of it.
public struct SignificantChange: Sendable, Equatable {
    /// Metres.
    public static let minimumDistance = 500.0
    /// Seconds.
    public static let minimumInterval = 300.0

    /// The location that the next move and interval count from.
    public private(set) var lastDelivered: Location?

    /// A monitor that goes on from what was delivered last, by an earlier run of the daemon perhaps.
    public init(lastDelivered: Location? = nil) {
        self.lastDelivered = lastDelivered
    }

    /// Returns whether `location` is to be delivered.
    public mutating func admits(_ location: Location) -> Bool {
        if let lastDelivered {
            // Either way: a receiver that once told a date in the future does not silence it for years.
            guard location.timestamp.seconds(since: lastDelivered.timestamp).magnitude >= Self.minimumInterval else {
                return false
            }
            let distance = location.distance(to: lastDelivered)
            guard distance >= max(Self.minimumDistance, location.horizontalAccuracy ?? 0) else { return false }
        }
        lastDelivered = location
        return true
    }

    /// Delivers `location` whatever came before, as the first one of a stream.
    public mutating func restart(with location: Location) {
        lastDelivered = location
    }
}
