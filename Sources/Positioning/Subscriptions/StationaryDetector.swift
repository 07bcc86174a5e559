/// Tells when a device has come to rest, and when it has set off again.
///
/// At rest: for the activity's dwell time the speed was below its threshold and all fixes were within max(15 m, 2 × accuracy)
/// of their mean, single strays apart. Set off: two fixes running have left that circle by max(50 m, 3 × accuracy), which the
/// drift of a receiver at rest does not reach. All by the fixes' own times.
public struct StationaryDetector: Sendable {
    /// What a fix brought about.
    public enum Change: Sendable, Equatable {
        /// The device has come to rest.
        case stopped
        /// It has set off.
        case setOff
    }

    /// Whether the device is at rest.
    public private(set) var isAtRest = false
    private let dwell: Double
    private let speedThreshold: Double
    private var tracker = StayTracker(strayLimit: 3)
    private var fixesBeyond = 0

    private static let fixesToSetOff = 2

    /// A detector for a kind of movement; `nil` for one that never counts as at rest.
    public init?(activity: ActivityType) {
        guard let dwell = activity.dwellSeconds else { return nil }
        self.dwell = dwell
        speedThreshold = activity.restingSpeed
    }

    /// Whether one fix has left the circle, so that the next one decides: it should come soon.
    public var isUndecided: Bool { isAtRest && fixesBeyond > 0 }

    /// Takes the next fix.
    public mutating func observe(_ location: Location) -> Change? {
        let accuracy = location.horizontalAccuracy ?? 0
        let circle = max(15, 2 * accuracy)
        guard isAtRest, let stay = tracker.stay else { return watchForRest(location, circle) }
        fixesBeyond = stay.distance(to: location) > circle + max(50, 3 * accuracy) ? fixesBeyond + 1 : 0
        guard fixesBeyond >= Self.fixesToSetOff else { return nil }
        isAtRest = false
        fixesBeyond = 0
        tracker = StayTracker(strayLimit: tracker.strayLimit)
        _ = watchForRest(location, circle)
        return .setOff
    }

    private mutating func watchForRest(_ location: Location, _ circle: Double) -> Change? {
        let isMoving = location.speed.map { $0 > speedThreshold } ?? false
        guard tracker.follow(location, radius: circle, isMoving: isMoving) == .stayed, let stay = tracker.stay,
            location.timestamp.seconds(since: stay.since) >= dwell
        else { return nil }
        isAtRest = true
        return .stopped
    }
}

extension ActivityType {
    /// How long a device stays at a place before it counts as at rest, in seconds; `nil`: it never does.
    var dwellSeconds: Double? {
        switch self {
        case .automotiveNavigation, .otherNavigation: 120
        case .fitness: 60
        case .other: 180
        case .airborne: nil
        }
    }

    /// The speed over ground up to which a device may be at rest, in metres a second: above what receivers report of one that
    /// does not move, below that of one that does.
    var restingSpeed: Double {
        switch self {
        case .automotiveNavigation: 1.5
        case .otherNavigation: 1
        case .other: 0.7
        case .fitness, .airborne: 0.5
        }
    }
}
