public import LocationModel

/// Detects that a device has become stationary, and that it has started to move again.
///
/// The device is stationary if, for the activity's dwell time, its speed was below the threshold and all fixes except
/// for some strays were within max(15 m, 2 × accuracy) of their mean. It moves again if two fixes in a row are beyond
/// that circle by max(50 m, 3 × accuracy), which the drift of a stationary receiver does not reach. If the receiver
/// reports that it does not move, three fixes are needed, because stray fixes may come in pairs. All times are the
/// times of the fixes.
///
/// With corrections, a receiver stands still to a centimetre, and a machine that works at 2 cm/s moves. An app for such
/// machines has a distance filter of up to a metre. While the fixes have resolved ambiguities, its circle has the
/// filter's radius instead of 15 m, and the distance beyond it shrinks by as much. Other apps get the pauses that users
/// of Core Location expect: a device that creeps within 15 m is stationary.
public struct StationaryDetector: Sendable {
    /// The change that a fix caused.
    public enum Change: Sendable, Equatable {
        /// The device has become stationary.
        case stopped
        /// The device has started to move.
        case setOff
    }

    /// A Boolean value indicating whether the device is stationary.
    public private(set) var isStationary = false
    private var isMoving = false
    /// A Boolean value indicating whether the last fix was compared by the distance filter.
    public private(set) var isFine = false
    private let activity: ActivityType
    private var tracker = StayTracker()

    /// The maximum number of strays in a row: the errors of a stationary receiver wander across the circle at times.
    private static let maximumStrays = 5
    /// The radius of the circle, and the distance beyond it that counts as moving, in metres, if the accuracy permits.
    private static let leastRadius = 15.0
    private static let leastDeparture = 50.0
    /// The greatest distance filter of an app that needs movements of centimetres, in metres.
    private static let greatestFineFilter = 1.0
    private static let fixesToResume = 2
    private static let fixesToResumeWithoutSpeed = 3

    /// Creates a detector for a kind of movement, or returns `nil` for a kind that never counts as stationary.
    public init?(activity: ActivityType) {
        guard activity.dwellSeconds != nil else { return nil }
        self.activity = activity
    }

    /// Discards the fixes seen so far.
    public mutating func reset() {
        isStationary = false
        isMoving = false
        isFine = false
        tracker = StayTracker()
    }

    /// A Boolean value indicating whether the last fix suggests that the device has started to move. The next fixes
    /// decide, and should come soon.
    public var mayBeMoving: Bool { isStationary && (isMoving || tracker.strays > 0) }

    /// Consumes the next fix, for an app with this distance filter in metres. Returns the change that it caused, or
    /// `nil` if there was none.
    public mutating func observe(_ location: Location, distanceFilter: Double? = nil) -> Change? {
        var radius = Self.leastRadius
        if let distanceFilter, distanceFilter > 0, distanceFilter <= Self.greatestFineFilter,
            location.quality == .rtkFixed
        {
            radius = distanceFilter
        }
        isFine = radius < Self.leastRadius
        isMoving = location.speed.map { $0 > activity.maximumStationarySpeed } ?? false
        return isStationary ? detectMovement(location, radius) : detectStationary(location, radius)
    }

    private mutating func detectMovement(_ location: Location, _ least: Double) -> Change? {
        let accuracy = location.horizontalAccuracy ?? 0
        let standsStill = location.speed != nil && !isMoving
        let departure = max(Self.leastDeparture * least / Self.leastRadius, 3 * accuracy)
        let radius = max(least, 2 * accuracy) + departure
        let limit = standsStill ? Self.fixesToResumeWithoutSpeed : Self.fixesToResume
        guard case .left = tracker.follow(location, radius: radius, strayLimit: limit) else { return nil }
        isStationary = false
        return .setOff
    }

    private mutating func detectStationary(_ location: Location, _ least: Double) -> Change? {
        let accuracy = location.horizontalAccuracy ?? 0
        // In a circle of hundreds of metres, a moving device would seem to be stationary.
        guard accuracy <= Stay.worstUsableAccuracy, let dwell = activity.dwellSeconds,
            tracker.follow(
                location, radius: max(least, 2 * accuracy), strayLimit: Self.maximumStrays, isMoving: isMoving)
                == .stayed,
            let stay = tracker.stay, location.timestamp.seconds(since: stay.since) >= dwell
        else { return nil }
        isStationary = true
        return .stopped
    }
}

extension ActivityType {
    /// The time that a device must stay at a place to count as stationary, in seconds, or `nil` if it never does.
    var dwellSeconds: Double? {
        switch self {
        case .automotiveNavigation, .otherNavigation: 120
        case .fitness: 60
        case .other: 180
        case .airborne: nil
        }
    }

    /// The greatest speed over ground of a stationary device, in metres per second: above the speed that receivers
    /// report for a device that does not move, and below the speed of a moving device.
    var maximumStationarySpeed: Double {
        switch self {
        case .automotiveNavigation: 1.5
        case .otherNavigation: 1
        case .other: 0.7
        case .fitness, .airborne: 0.5
        }
    }
}
