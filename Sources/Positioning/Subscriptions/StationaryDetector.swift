public import LocationModel

/// Tells when a device has come to rest, and when it has set off again.
///
/// At rest: for the activity's dwell time the speed was below its threshold and all fixes were within max(15 m, 2 × accuracy)
/// of their mean, some strays apart. Set off: two fixes running have left that circle by max(50 m, 3 × accuracy), which the
/// drift of a receiver at rest does not reach; three where the receiver tells that it does not move, as stray fixes may come
/// in pairs. All by the fixes' own times.
public struct StationaryDetector: Sendable {
    /// What a fix brought about.
    public enum Change: Sendable, Equatable {
        /// The device has come to rest.
        case stopped
        /// It has set off.
        case setOff
    }

    /// A Boolean value indicating whether the device is at rest.
    public private(set) var isAtRest = false
    private var isMoving = false
    private let activity: ActivityType
    private var tracker = StayTracker()

    /// So many fixes running outside of the circle are no strays: the errors of a receiver at rest wander across it at times.
    private static let straysToMove = 5
    private static let fixesToSetOff = 2
    private static let fixesToSetOffStanding = 3

    /// A detector for a kind of movement; `nil` for one that never counts as at rest.
    public init?(activity: ActivityType) {
        guard activity.dwellSeconds != nil else { return nil }
        self.activity = activity
    }

    /// Forgets the fixes that it has seen.
    public mutating func reset() {
        isAtRest = false
        isMoving = false
        tracker = StayTracker()
    }

    /// A Boolean value indicating whether the last fix looks like setting off, so that the next ones decide: they
    /// should come soon.
    public var isUndecided: Bool { isAtRest && (isMoving || tracker.strays > 0) }

    /// Takes the next fix.
    public mutating func observe(_ location: Location) -> Change? {
        isMoving = location.speed.map { $0 > activity.restingSpeed } ?? false
        return isAtRest ? watchForSettingOff(location) : watchForRest(location)
    }

    private mutating func watchForSettingOff(_ location: Location) -> Change? {
        let accuracy = location.horizontalAccuracy ?? 0
        let standsStill = location.speed != nil && !isMoving
        let radius = Self.circle(accuracy) + max(50, 3 * accuracy)
        let limit = standsStill ? Self.fixesToSetOffStanding : Self.fixesToSetOff
        guard case .left = tracker.follow(location, radius: radius, strayLimit: limit) else { return nil }
        isAtRest = false
        return .setOff
    }

    private mutating func watchForRest(_ location: Location) -> Change? {
        let accuracy = location.horizontalAccuracy ?? 0
        // Within a circle of hundreds of metres a device that moves would seem to be at rest.
        guard accuracy <= Stay.vagueAccuracy, let dwell = activity.dwellSeconds,
            tracker.follow(location, radius: Self.circle(accuracy), strayLimit: Self.straysToMove, isMoving: isMoving)
                == .stayed,
            let stay = tracker.stay, location.timestamp.seconds(since: stay.since) >= dwell
        else { return nil }
        isAtRest = true
        return .stopped
    }

    private static func circle(_ accuracy: Double) -> Double { max(15, 2 * accuracy) }
}
