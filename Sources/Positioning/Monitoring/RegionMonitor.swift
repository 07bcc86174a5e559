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

    /// The circle.
    public let region: CircularRegion
    /// Where the device is.
    public private(set) var state: RegionState
    private var candidate: (state: RegionState, since: Timestamp)?

    /// A monitor that knows nothing, or goes on with what an earlier run of the daemon knew.
    public init(_ region: CircularRegion, state: RegionState = .unknown) {
        self.region = region
        self.state = state
    }

    /// Takes the next fix.
    public mutating func observe(_ location: Location) -> Change? {
        let distance = region.distance(to: location)
        guard state != .unknown else { return determine(distance <= 0 ? .inside : .outside, at: location.timestamp) }
        let cushion = max(Self.cushion, location.horizontalAccuracy ?? 0)
        let other: RegionState = state == .inside ? .outside : .inside
        let isBeyond = state == .inside ? distance >= cushion : distance <= -min(cushion, region.radius / 2)
        guard isBeyond else {
            candidate = nil
            return nil
        }
        guard let candidate, candidate.state == other else {
            self.candidate = (other, location.timestamp)
            return nil
        }
        guard location.timestamp.seconds(since: candidate.since) >= Self.dwell else { return nil }
        self.candidate = nil
        state = other
        return .crossed(other)
    }

    private mutating func determine(_ seen: RegionState, at time: Timestamp) -> Change? {
        guard candidate?.state == seen else {
            candidate = (seen, time)
            return nil
        }
        candidate = nil
        state = seen
        return .determined(seen)
    }

    /// How soon the next fix is due after one at `location`, in seconds.
    ///
    /// The distance to the border over the greatest plausible speed: a device that is far away may be looked at rarely.
    public func interval(from location: Location?) -> Double {
        guard let location, state != .unknown, candidate == nil else { return Self.intervals.lowerBound }
        let speed = max(Self.greatestSpeed, 2 * (location.speed ?? 0))
        let seconds = region.distance(to: location).magnitude / speed
        return min(max(seconds, Self.intervals.lowerBound), Self.intervals.upperBound)
    }

    /// Seconds between two looks.
    public static let intervals = 10.0...300.0
    /// Metres a second: a fast train's, for a device that was slow at the last look.
    public static let greatestSpeed = 60.0

    /// Whether they are the same.
    public static func == (a: RegionMonitor, b: RegionMonitor) -> Bool {
        a.region == b.region && a.state == b.state && a.candidate?.state == b.candidate?.state
            && a.candidate?.since == b.candidate?.since
    }
}
