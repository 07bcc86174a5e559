public import LocationModel

/// The rules of one subscription: what becomes of each location that the app may have, and how hard the receivers work.
///
/// While the device is at rest nothing is delivered, unless the app wants no pauses; then the filters decide.
public struct SubscriptionRules: Sendable {
    /// What becomes of a location.
    public enum Verdict: Sendable, Equatable {
        /// Not delivered.
        case suppress
        /// Delivered.
        case deliver
        /// Delivered, and it is the last one that was asked for.
        case deliverLast
        /// The device has come to rest: the app is told so with this location, and gets no more.
        case pause
        /// The device has set off: the app is told so, and then the location is delivered.
        case resume
        /// As `resume`, and the location is the last one that was asked for.
        case resumeLast
    }

    /// How hard the receivers work for it while it is not paused.
    public let desiredAccuracy: DesiredAccuracy
    /// Which locations pass while it is not paused.
    public private(set) var filter: SubscriptionFilter
    private var detector: StationaryDetector?

    /// The rules for these wishes; `pausingOn` is the kind of movement that pauses are found by, `nil` for no pauses.
    public init(desiredAccuracy: DesiredAccuracy, filter: SubscriptionFilter, pausingOn activity: ActivityType?) {
        self.desiredAccuracy = desiredAccuracy
        self.filter = filter
        detector = activity.flatMap { StationaryDetector(activity: $0) }
    }

    /// Forgets the locations that were considered; how many may still be delivered stays.
    public mutating func reset() {
        filter.reset()
        detector?.reset()
    }

    /// A Boolean value indicating whether nothing is delivered because the device is at rest.
    public var isPaused: Bool { detector?.isAtRest ?? false }

    /// How hard the receivers work for it now: less while it is paused, unless the last fix looks like setting off.
    public var plan: ReceiverPlan {
        guard let detector, detector.isAtRest, !detector.isUndecided else { return desiredAccuracy.plan }
        return .paused(desiredAccuracy)
    }

    /// Decides on a location.
    public mutating func consider(_ location: Location) -> Verdict {
        let change = detector?.observe(location)
        if change == .stopped { return .pause }
        guard !isPaused else { return .suppress }
        // The first one after a pause is delivered whatever it is: the app is told where the device has set off to.
        if change == .setOff { return filter.admit(location) == .deliverLast ? .resumeLast : .resume }
        return switch filter.consider(location) {
        case .suppress: .suppress
        case .deliver: .deliver
        case .deliverLast: .deliverLast
        }
    }
}
