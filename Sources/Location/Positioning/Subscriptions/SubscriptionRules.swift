public import LocationModel

/// The rules of one subscription: which of the app's locations are delivered, and how hard the receivers work.
///
/// Nothing is delivered while the device is stationary, unless the app requested no pauses. Otherwise the filter
/// decides.
public struct SubscriptionRules: Sendable {
    /// The decision about a location.
    public enum Verdict: Sendable, Equatable {
        /// The location is not delivered.
        case suppress
        /// The location is delivered, and more may follow.
        case deliver
        /// The location is delivered, and is the last requested one.
        case deliverLast
        /// The device has become stationary: the app is notified with this location and receives no more.
        case pause
        /// The device has started to move: the app is notified, and then the location is delivered.
        case resume
        /// The same as `resume`, and the location is the last requested one.
        case resumeLast
    }

    /// The accuracy that the app desires. It decides how hard the receivers work while the subscription is not paused.
    public let desiredAccuracy: DesiredAccuracy
    /// The filter for locations while the subscription is not paused.
    public private(set) var filter: SubscriptionFilter
    private var detector: StationaryDetector?

    /// Creates the rules. `activity` is the kind of movement for detecting pauses, or `nil` for no pauses.
    public init(desiredAccuracy: DesiredAccuracy, filter: SubscriptionFilter, pausingOn activity: ActivityType?) {
        self.desiredAccuracy = desiredAccuracy
        self.filter = filter
        detector = activity.flatMap { StationaryDetector(activity: $0) }
    }

    /// Discards the locations considered so far. The number of remaining updates does not change.
    public mutating func reset() {
        filter.reset()
        detector?.reset()
    }

    /// A Boolean value indicating whether nothing is delivered because the device is stationary.
    public var isPaused: Bool { detector?.isStationary ?? false }

    /// The present demand on the receivers. It is lower while the subscription is paused, unless the last fix suggests
    /// that the device has started to move, or a movement of centimetres would not be noticed.
    public var plan: ReceiverPlan {
        let plan = desiredAccuracy.plan.limited(toInterval: filter.minimumIntervalSeconds)
        guard let detector, detector.isStationary, !detector.mayBeMoving, !detector.isFine else { return plan }
        return .paused(plan)
    }

    /// The demand while the radio surroundings show that the device does not move: none if the subscription is paused,
    /// or if a kilometre is accurate enough, and the app has a location and only wants to know of movements.
    public var planWhileStill: ReceiverPlan {
        if let detector, detector.isStationary { return detector.mayBeMoving || detector.isFine ? plan : .off }
        return desiredAccuracy.requiredHorizontalAccuracy >= 1000 && filter.isSatisfiedWhileStill ? .off : plan
    }

    /// Decides about the location at `position`. Only rules with pauses need the whole of it.
    public mutating func consider(_ position: TimedPosition, of location: () -> Location) -> Verdict {
        guard detector != nil else { return filter.consider(position) }
        let location = location()
        // A remembered place is the same wherever the device is in it: fixes decide whether it moves.
        let isFix = location.quality != .remembered
        let change = isFix ? detector?.observe(location, distanceFilter: filter.minimumDistance) : nil
        if change == .stopped { return .pause }
        guard !isPaused else { return .suppress }
        // The first location after a pause is always delivered: it shows the app where the device has moved to.
        if change == .setOff { return filter.admit(position) == .deliverLast ? .resumeLast : .resume }
        return filter.consider(position)
    }
}
