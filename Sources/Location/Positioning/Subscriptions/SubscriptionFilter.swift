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
    private var lastDelivered: TimedPosition?

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
        lastDelivered?.isProvisional == false && (minimumDistance ?? 0) > 0 && minimumIntervalSeconds == nil
            && remaining == nil
    }

    /// Discards the last delivered location. The number of remaining updates does not change.
    public mutating func reset() { lastDelivered = nil }

    /// Decides about the location at `position`. If it is delivered, the next distance and interval are counted from
    /// it.
    ///
    /// Attack: the networks of a remembered place are imitated, so that the place takes the turn of the fix that would
    /// contradict it. So a fix follows a provisional location at once, which counts as no update.
    public mutating func consider(_ position: TimedPosition) -> Verdict {
        let isReplacement = lastDelivered?.isProvisional == true && !position.isProvisional
        let last = isReplacement ? nil : lastDelivered
        guard minimumInterval.admits(position, after: last), distanceFilter.admits(position, after: last)
        else { return .suppress }
        return admit(position)
    }

    /// Delivers the location at `position` regardless of distance and interval. The next distance and interval are
    /// counted from it.
    public mutating func admit(_ position: TimedPosition) -> Verdict {
        lastDelivered = position
        guard let left = remaining, !position.isProvisional else { return .deliver }
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

    /// Returns whether `position` may follow `lastDelivered`.
    func admits(_ position: TimedPosition, after lastDelivered: TimedPosition?) -> Bool {
        guard let minimumDistance, minimumDistance > 0, let lastDelivered else { return true }
        if lastDelivered.distance(to: position) >= minimumDistance { return true }
        guard let now = position.horizontalAccuracy, let then = lastDelivered.horizontalAccuracy else { return false }
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

    /// Returns whether `position` may follow `lastDelivered`.
    func admits(_ position: TimedPosition, after lastDelivered: TimedPosition?) -> Bool {
        guard let seconds, let lastDelivered else { return true }
        // In either direction: an app must not wait for years because a receiver once reported a date in the future.
        return position.timestamp.seconds(since: lastDelivered.timestamp).magnitude >= seconds - tolerance
    }
}

/// The parts of a location that a filter compares. They are few, because each of perhaps ten thousand subscriptions
/// compares them and keeps those of the last delivered location.
public struct TimedPosition: Sendable {
    /// The time of the location.
    public let timestamp: Timestamp
    /// The accuracy in metres, 68 %.
    public let horizontalAccuracy: Double?
    /// The latitude in degrees.
    public let latitude: Double
    /// The longitude in degrees.
    public let longitude: Double
    /// A Boolean value indicating whether this is a remembered place, and a receiver may still find a fix.
    public let isProvisional: Bool

    /// Creates the parts of a location.
    @inlinable
    public init(_ location: Location, isProvisional: Bool = false) {
        self.isProvisional = isProvisional
        timestamp = location.timestamp
        horizontalAccuracy = location.horizontalAccuracy
        latitude = location.latitude
        longitude = location.longitude
    }

    /// Returns the distance to `other` along the WGS 84 ellipsoid, in metres.
    func distance(to other: TimedPosition) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
