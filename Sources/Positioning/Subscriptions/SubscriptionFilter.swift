public import LocationModel

/// Which of the locations that an app may have are delivered on one of its subscriptions.
///
/// The rules of one subscription, together: distance filter, minimum interval, maximum number of updates. Each
/// subscription has its own; the next distance and interval count from what was delivered last.
public struct SubscriptionFilter: Sendable {
    /// What becomes of a location.
    public enum Verdict: Sendable, Equatable {
        /// Not delivered.
        case suppress
        /// Delivered; more may follow.
        case deliver
        /// Delivered, and it is the last one that was asked for.
        case deliverLast
    }

    private let distanceFilter: DistanceFilter
    private let minimumInterval: MinimumInterval
    private var remaining: Int?
    private var lastDelivered: Delivered?

    /// A filter for one subscription.
    ///
    /// - Parameters:
    ///   - minimumDistance: metres; `nil` for every location.
    ///   - minimumIntervalSeconds: seconds; `nil` for every location.
    ///   - maximumUpdates: at least 1; `nil` for no end.
    public init(minimumDistance: Double? = nil, minimumIntervalSeconds: Double? = nil, maximumUpdates: Int? = nil) {
        distanceFilter = DistanceFilter(minimumDistance: minimumDistance)
        minimumInterval = MinimumInterval(seconds: minimumIntervalSeconds)
        remaining = maximumUpdates
    }

    /// Metres between two locations, at least; `nil` for every location.
    public var minimumDistance: Double? { distanceFilter.minimumDistance }

    /// Seconds between two locations, at least; `nil` for every location.
    public var minimumIntervalSeconds: Double? { minimumInterval.seconds }

    /// Forgets what was delivered last; how many may still be delivered stays.
    public mutating func reset() { lastDelivered = nil }

    /// Decides on `location` and, if it is delivered, counts from it.
    public mutating func consider(_ location: Location) -> Verdict {
        guard minimumInterval.admits(location, after: lastDelivered),
            distanceFilter.admits(location, after: lastDelivered)
        else { return .suppress }
        return admit(location)
    }

    /// Delivers `location` whatever the distance and the interval, and counts from it.
    public mutating func admit(_ location: Location) -> Verdict {
        lastDelivered = Delivered(location)
        guard let left = remaining else { return .deliver }
        guard left > 1 else { return .deliverLast }
        remaining = left - 1
        return .deliver
    }
}
