public import LocationModel

/// Tracks the device in and out of a region.
///
/// A crossing counts if all fixes of 20 s are beyond the border by max(50 m, accuracy). Entering requires at most half
/// the radius, because a small region could not be entered otherwise. So neither noise on the border nor a stray fix
/// counts as a crossing. The first state needs two fixes that agree.
public struct RegionMonitor: Sendable, Equatable {
    /// The change that a fix caused.
    public enum Change: Sendable, Equatable {
        /// The state is known for the first time.
        case determined(RegionState)
        /// The device crossed the border and is now on this side.
        case crossed(RegionState)
    }

    /// The time that the device must be beyond the border, in seconds.
    public static let dwell = 20.0
    /// The distance that the device must be beyond the border, in metres, unless the accuracy is worse.
    public static let cushion = 50.0
    /// The times between two fixes that the plan uses, in seconds.
    ///
    /// Attack: from the rate of the receivers' fixes, another user reads the distance to the border metre by metre
    /// and, from three places, where the region is. With fixed steps, the rate only distinguishes near from far.
    public static let intervals = [10.0, 30, 60, 120, 300]
    /// The speed assumed for a device that was slow at the last fix, in metres per second: the speed of a fast train.
    public static let greatestSpeed = 60.0
    /// The greatest speed of a stationary device, in metres per second. A lower speed is a receiver's noise.
    static let maximumStationarySpeed = 0.7

    /// The monitored region.
    public let region: CircularRegion
    /// The state of the device relative to the region.
    public private(set) var state: RegionState
    private var candidate: Candidate?

    /// The side where the device seems to be, and the time since when.
    private struct Candidate: Equatable {
        let state: RegionState
        var since: Timestamp
    }

    /// Creates a monitor. `state` is the known state from before a restart.
    public init(_ region: CircularRegion, state: RegionState = .unknown) {
        self.region = region
        self.state = state
    }

    /// Consumes the next fix. Returns the change that it caused, or `nil` if there was none.
    public mutating func observe(_ location: Location) -> Change? {
        let distance = region.distance(to: location)
        let accuracy = location.horizontalAccuracy ?? 0
        // A fix that cannot distinguish the inside of a small region from its outside is evidence for neither.
        if accuracy > max(region.radius, Self.cushion), distance.magnitude < accuracy { return nil }

        guard state != .unknown else {
            guard confirms(distance <= 0 ? .inside : .outside, at: location.timestamp, after: 0) else { return nil }
            return .determined(state)
        }
        let cushion = max(Self.cushion, accuracy)
        let isBeyond = state == .inside ? distance >= cushion : distance <= -min(cushion, region.radius / 2)
        guard isBeyond else {
            candidate = nil
            return nil
        }
        guard confirms(state == .inside ? .outside : .inside, at: location.timestamp, after: Self.dwell) else {
            return nil
        }
        return .crossed(state)
    }

    /// Returns whether an earlier fix was on this side, too, at least `seconds` ago. If so, the device is on this side.
    private mutating func confirms(_ side: RegionState, at time: Timestamp, after seconds: Double) -> Bool {
        guard var candidate, candidate.state == side else {
            candidate = Candidate(state: side, since: time)
            return false
        }
        // If the receiver's clock was set back, the seconds count from now.
        candidate.since = min(candidate.since, time)
        guard time.seconds(since: candidate.since) >= seconds else {
            self.candidate = candidate
            return false
        }
        self.candidate = nil
        state = side
        return true
    }

    /// Returns the time in seconds until the next fix is due after a fix at `location`: one of ``intervals``.
    ///
    /// The result is the distance to the border divided by the greatest plausible speed, rounded down: a distant device
    /// needs few fixes. A stationary device near the border gets fixes as often as a paused subscription, so that the
    /// receivers can be closed in between: most regions are around a home.
    public func interval(from location: Location?) -> Double {
        guard let location, state != .unknown, candidate == nil else { return Self.intervals[0] }
        let stands = location.speed.map { $0 <= Self.maximumStationarySpeed } ?? false
        let speed = max(Self.greatestSpeed, 2 * (location.speed ?? 0))
        let seconds = region.distance(to: location).magnitude / speed
        let due = max(seconds, stands ? ReceiverPlan.pausedInterval : Self.intervals[0])
        return Self.intervals.last { $0 <= due } ?? Self.intervals[0]
    }
}
