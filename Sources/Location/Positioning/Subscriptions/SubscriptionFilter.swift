public import LocationModel

/// Decides which of an app's locations are delivered on one of its subscriptions.
///
/// The filter combines the rules of one subscription: distance filter, minimum interval and maximum number of updates.
/// The next distance and interval are counted from the last delivered location.
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

    /// A Boolean value indicating whether a device that does not move needs no more locations: only their distance
    /// counts, and one was delivered.
    var isSatisfiedWhileStill: Bool {
        lastDelivered != nil && (minimumDistance ?? 0) > 0 && minimumIntervalSeconds == nil && remaining == nil
    }

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

/// Suppresses locations until the device has moved far enough from the last delivered location.
///
/// Distances are horizontal, along the WGS 84 ellipsoid. A smaller move is admitted only if the accuracy has clearly
/// improved, so that an app with a wide filter does not have to keep the poor first fix of a receiver.
struct DistanceFilter {
    /// The least movement that is delivered, in metres. `nil`, zero or less admits everything.
    let minimumDistance: Double?

    /// The greatest ratio between the new accuracy and the last delivered accuracy that counts as a clear improvement.
    static let clearImprovement = 0.5

    /// Returns whether `location` may follow `lastDelivered`.
    func admits(_ location: Location, after lastDelivered: Delivered?) -> Bool {
        guard let minimumDistance, minimumDistance > 0, let lastDelivered else { return true }
        if lastDelivered.distance(to: location) >= minimumDistance { return true }
        guard let now = location.horizontalAccuracy, let then = lastDelivered.horizontalAccuracy else { return false }
        return now <= then * Self.clearImprovement
    }
}

/// Suppresses locations that follow the last delivered location too soon.
struct MinimumInterval {
    /// The least time between two delivered locations by their own timestamps, in seconds. `nil` admits everything.
    let seconds: Double?

    /// The time that a location may be early, in seconds: half the period of a 25 Hz receiver, because epochs do not
    /// fall on exact multiples.
    static let tolerance = 0.02

    /// The time that a location may be early if the receivers are closed in between, in seconds. They are opened for
    /// one fix: if it came too early by the difference between two delays, the next one would come an interval later.
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

/// The parts of the last delivered location that a subscription keeps. They are few, because there may be ten thousand
/// subscriptions.
struct Delivered: Sendable {
    let timestamp: Timestamp
    /// The accuracy in metres, 68 %.
    let horizontalAccuracy: Double?
    /// The latitude in degrees.
    private let latitude: Double
    /// The longitude in degrees.
    private let longitude: Double

    init(_ location: Location) {
        timestamp = location.timestamp
        horizontalAccuracy = location.horizontalAccuracy
        latitude = location.latitude
        longitude = location.longitude
    }

    /// Returns the distance to `location` along the WGS 84 ellipsoid, in metres.
    func distance(to location: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude, longitude: location.longitude)
    }
}
