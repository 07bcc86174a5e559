public import LocationModel

/// The work that is demanded of the receivers, by one part of the daemon or by all parts together.
public enum ReceiverPlan: Sendable, Equatable {
    /// No demand for the receivers.
    case off
    /// One fix every `seconds`, from a receiver that has converged to this horizontal accuracy (metres, 68 %).
    case every(seconds: Double, accuracy: Double)
    /// One fix of this horizontal accuracy (metres, 68 %) at a time in seconds of the clock of ``DutyCycle``.
    case once(at: Double, accuracy: Double)
    /// Every fix.
    case continuous

    /// The longest interval between fixes that serves a single fix, too, in seconds.
    static let longestIntervalForOne = 900.0

    /// Returns the plan that serves both: the shorter interval and the better accuracy. A single fix is not needed
    /// where others come anyway, at least every 15 minutes.
    public func merged(with other: ReceiverPlan) -> ReceiverPlan {
        switch (self, other) {
        case (.continuous, _), (_, .continuous): .continuous
        case (.off, let plan), (let plan, .off): plan
        case (.every(let a, let accuracyA), .every(let b, let accuracyB)):
            .every(seconds: min(a, b), accuracy: min(accuracyA, accuracyB))
        case (.once(let a, let accuracyA), .once(let b, let accuracyB)):
            .once(at: min(a, b), accuracy: min(accuracyA, accuracyB))
        case (.once(_, let accuracyA), .every(let seconds, let accuracyB)),
            (.every(let seconds, let accuracyA), .once(_, let accuracyB)):
            .every(seconds: min(seconds, Self.longestIntervalForOne), accuracy: min(accuracyA, accuracyB))
        }
    }

    /// Returns the plan while every subscription is paused. It requires enough fixes to notice that the device starts
    /// to move within its circle, but never more fixes than the subscription demands while the device moves.
    public static func paused(_ plan: ReceiverPlan) -> ReceiverPlan {
        if case .every(let seconds, _) = plan, seconds > pausedInterval { return plan }
        return .every(seconds: pausedInterval, accuracy: occasionalAccuracy)
    }

    /// Returns the plan of a subscription that receives at most one location per interval (seconds, or `nil` for no
    /// limit). An interval that is too short to close the receivers changes nothing: the first fix after it is
    /// delivered.
    func limited(toInterval interval: Double?) -> ReceiverPlan {
        guard let interval, interval >= DutyCycle.closingInterval else { return self }
        return switch self {
        case .off: .off
        case .once: self
        case .continuous: .every(seconds: interval, accuracy: Self.occasionalAccuracy)
        case .every(let seconds, let accuracy): .every(seconds: max(seconds, interval), accuracy: accuracy)
        }
    }

    /// The plan for significant changes.
    public static let significantChanges = ReceiverPlan.every(seconds: 300, accuracy: 250)
    /// The plan for visits: three fixes in the shortest visit.
    public static let visits = ReceiverPlan.every(seconds: 120, accuracy: 50)
    /// The plan for visits on the way, as long as no surroundings stay the same.
    public static let visitsOnTheWay = ReceiverPlan.every(seconds: 300, accuracy: 50)
    /// The plan once the surroundings say that the device has perhaps moved: a fix decides.
    static let perhapsMoved = ReceiverPlan.every(seconds: pausedInterval, accuracy: 50)
    /// Returns the plan for a region whose next fix is due after `seconds`.
    public static func region(seconds: Double) -> ReceiverPlan { .every(seconds: seconds, accuracy: 50) }

    /// The time between two fixes while the device is stationary, in seconds.
    public static let pausedInterval = 30.0

    /// The horizontal accuracy that receivers converge to before they are closed again, in metres, if the subscription
    /// itself would keep them open. A receiver reaches it soon after a warm start.
    static let occasionalAccuracy = 25.0
}

extension DesiredAccuracy {
    /// The demand of a subscription with this accuracy while the device moves.
    public var plan: ReceiverPlan {
        switch self {
        case .bestForNavigation, .best, .nearestTenMeters: .continuous
        case .hundredMeters: .every(seconds: 15, accuracy: requiredHorizontalAccuracy)
        case .kilometer: .every(seconds: 60, accuracy: requiredHorizontalAccuracy)
        case .threeKilometers: .every(seconds: 180, accuracy: requiredHorizontalAccuracy)
        case .reduced: .every(seconds: 900, accuracy: requiredHorizontalAccuracy)
        }
    }
}
