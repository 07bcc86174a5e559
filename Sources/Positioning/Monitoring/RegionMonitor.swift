public import LocationModel

/// Follows the device in and out of a region.
///
/// A crossing counts when all fixes of 20 s are beyond the border by max(50 m, accuracy); on entering a small region by half
/// its radius at most, because it could not be entered otherwise. So neither noise on the border nor a stray fix crosses it.
/// Where the device is at first needs two fixes that agree.
public struct RegionMonitor: Sendable, Equatable {
    /// What a fix brought about.
    public enum Change: Sendable, Equatable {
        /// It is known for the first time.
        case determined(RegionState)
        /// The border was crossed, to this side.
        case crossed(RegionState)
    }

    /// Seconds.
    public static let dwell = 20.0
    /// Metres.
    public static let cushion = 50.0
    /// Seconds between two looks; the plan knows no others.
    ///
    /// Attack: by the rate of the receivers' fixes another user reads the distance to the border, metre by metre, and
    /// from three places where the region is. In steps it only tells near from far.
    public static let intervals = [10.0, 30, 60, 120, 300]
    /// Metres a second: a fast train's, for a device that was slow at the last look.
    public static let greatestSpeed = 60.0
    /// Metres a second: less is a receiver's noise.
    static let standingSpeed = 0.7

    /// The circle.
    public let region: CircularRegion
    /// Where the device is.
    public private(set) var state: RegionState
    private var candidate: Candidate?

    /// Where the device seems to be, and since when.
    private struct Candidate: Equatable {
        let state: RegionState
        var since: Timestamp
    }

    /// A monitor that knows nothing, or goes on with what an earlier run of the daemon knew.
    public init(_ region: CircularRegion, state: RegionState = .unknown) {
        self.region = region
        self.state = state
    }

    /// Takes the next fix.
    public mutating func observe(_ location: Location) -> Change? {
        let distance = region.distance(to: location)
        let accuracy = location.horizontalAccuracy ?? 0
        // A fix that cannot tell a small region's inside from its outside is evidence of neither.
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

    /// Returns whether a fix before this one was on that side too, so many seconds ago; then the device is there.
    private mutating func confirms(_ side: RegionState, at time: Timestamp, after seconds: Double) -> Bool {
        guard var candidate, candidate.state == side else {
            candidate = Candidate(state: side, since: time)
            return false
        }
        // When the receiver's clock was put back, the seconds count from now.
        candidate.since = min(candidate.since, time)
        guard time.seconds(since: candidate.since) >= seconds else {
            self.candidate = candidate
            return false
        }
        self.candidate = nil
        state = side
        return true
    }

    /// Returns how soon the next fix is due after one at `location`, in seconds: one of ``intervals``.
    ///
    /// The distance to the border over the greatest plausible speed, rounded down: a device that is far away may be looked at rarely. One
    /// that stands near the border is looked at as often as for a paused subscription, so that the receivers can be closed
    /// in between: most regions are around a home.
    public func interval(from location: Location?) -> Double {
        guard let location, state != .unknown, candidate == nil else { return Self.intervals[0] }
        let stands = location.speed.map { $0 <= Self.standingSpeed } ?? false
        let speed = max(Self.greatestSpeed, 2 * (location.speed ?? 0))
        let seconds = region.distance(to: location).magnitude / speed
        let due = max(seconds, stands ? ReceiverPlan.pausedInterval : Self.intervals[0])
        return Self.intervals.last { $0 <= due } ?? Self.intervals[0]
    }
}
