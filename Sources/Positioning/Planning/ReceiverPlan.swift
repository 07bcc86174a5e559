public import LocationModel

/// How hard the receivers work: for one who asks, or for all of them together.
public enum ReceiverPlan: Sendable, Equatable {
    /// Nobody needs them.
    case off
    /// One fix every so many seconds, from a receiver that has converged to that horizontal accuracy (metres, 68 %).
    case every(seconds: Double, accuracy: Double)
    /// Every fix.
    case continuous

    /// The plan that serves both: the shorter interval, the better accuracy.
    public func merged(with other: ReceiverPlan) -> ReceiverPlan {
        switch (self, other) {
        case (.continuous, _), (_, .continuous): .continuous
        case (.off, let plan), (let plan, .off): plan
        case (.every(let a, let accuracyA), .every(let b, let accuracyB)):
            .every(seconds: min(a, b), accuracy: min(accuracyA, accuracyB))
        }
    }

    /// While every subscription is paused: enough to see the device set off within its circle. Nobody gets more often what
    /// it did not want so often while it moved.
    public static func paused(_ desiredAccuracy: DesiredAccuracy) -> ReceiverPlan {
        switch desiredAccuracy.plan {
        case .every(let seconds, let accuracy) where seconds > pausedInterval:
            .every(seconds: seconds, accuracy: accuracy)
        default: .every(seconds: pausedInterval, accuracy: 25)
        }
    }

    /// For significant changes.
    public static let significantChanges = ReceiverPlan.every(seconds: 300, accuracy: 250)
    /// For visits: three looks in the shortest one.
    public static let visits = ReceiverPlan.every(seconds: 120, accuracy: 50)
    /// For a region that is to be looked at after so many seconds.
    public static func region(seconds: Double) -> ReceiverPlan { .every(seconds: seconds, accuracy: 50) }

    /// Seconds between two fixes while the device is at rest.
    public static let pausedInterval = 30.0
}

extension DesiredAccuracy {
    /// What a subscription with this wish needs of the receivers while the device moves.
    public var plan: ReceiverPlan {
        switch self {
        case .bestForNavigation, .best, .nearestTenMeters: .continuous
        case .hundredMeters: .every(seconds: 15, accuracy: satisfactoryHorizontalAccuracy)
        case .kilometer: .every(seconds: 60, accuracy: satisfactoryHorizontalAccuracy)
        case .threeKilometers: .every(seconds: 180, accuracy: satisfactoryHorizontalAccuracy)
        case .reduced: .every(seconds: 900, accuracy: satisfactoryHorizontalAccuracy)
        }
    }
}
