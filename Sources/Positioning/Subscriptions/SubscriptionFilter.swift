public import LocationModel

/// The filter that decides which of an app's locations are delivered on one of its subscriptions.
///
/// It combines the rules of one subscription: distance filter, minimum interval and maximum number of updates. Each
/// subscription has its own filter; the next distance and interval are counted from the last delivered location.
public struct SubscriptionFilter: Sendable {
    /// The decision about a location: `suppress`, `deliver` or `deliverLast`.
    public typealias Verdict = SubscriptionRules.Verdict

    private let distanceFilter: DistanceFilter
    private let minimumInterval: MinimumInterval
    private var remaining: Int?
    private var lastDelivered: Delivered?

    /// Creates a filter for one subscription.
    ///
    /// - Parameters:
    ///   - minimumDistance: The least distance between two locations, in metres, or `nil` for every location.
    ///   - minimumIntervalSeconds: The least time between two locations, in seconds, or `nil` for every location.
    ///   - maximumUpdates: The number of updates after which the subscription ends, at least 1, or `nil` for no limit.
    public init(minimumDistance: Double? = nil, minimumIntervalSeconds: Double? = nil, maximumUpdates: Int? = nil) {
        distanceFilter = DistanceFilter(minimumDistance: minimumDistance)
        minimumInterval = MinimumInterval(seconds: minimumIntervalSeconds)
        remaining = maximumUpdates
    }

    /// The least distance between two locations in metres, or `nil` for every location.
    public var minimumDistance: Double? { distanceFilter.minimumDistance }

    /// The least time between two locations in seconds, or `nil` for every location.
    public var minimumIntervalSeconds: Double? { minimumInterval.seconds }

    /// Discards the last delivered location. The number of remaining updates does not change.
    public mutating func reset() { lastDelivered = nil }

    /// Decides about `location`. If it is delivered, the next distance and interval are counted from it.
    public mutating func consider(_ location: Location) -> Verdict {
        guard minimumInterval.admits(location, after: lastDelivered),
            distanceFilter.admits(location, after: lastDelivered)
        else { return .suppress }
        return admit(location)
    }

    /// Delivers `location` regardless of distance and interval. The next distance and interval are counted from it.
    public mutating func admit(_ location: Location) -> Verdict {
        lastDelivered = Delivered(location)
        guard let left = remaining else { return .deliver }
        guard left > 1 else { return .deliverLast }
        remaining = left - 1
        return .deliver
    }
}
