public import LocationModel

/// Tells of arrivals at places and departures from them.
///
/// Arrival: 5 min within 100 m, told with the time at which the stay began. Departure: two fixes running beyond that, told
/// with the time of the last fix there. A fix that may itself be off by more than 100 m makes no arrival, and is beyond
/// only if it is so by its accuracy too.
public struct VisitDetector: Sendable {
    /// Metres around the mean of the fixes.
    public static let radius = 100.0
    /// Seconds.
    public static let minimumStay = 300.0

    private static let fixesToLeave = 2

    /// The visit that lasts; `nil` on the way.
    public private(set) var current: Visit?
    private var tracker: StayTracker

    /// A detector that knows nothing, or goes on with a visit that an earlier run of the daemon found.
    public init(current: Visit? = nil, lastSeen: Timestamp? = nil) {
        self.current = current
        tracker = StayTracker(stay: current.map { Stay($0, lastFix: lastSeen ?? $0.arrival) })
    }

    /// When the device was last seen there; `nil` on the way.
    public var lastSeen: Timestamp? { current == nil ? nil : tracker.stay?.lastFix }

    /// Takes the next fix; the visits that have ended or begun with it, in that order.
    public mutating func observe(_ location: Location) -> [Visit] {
        let accuracy = location.horizontalAccuracy ?? 0
        let isVague = accuracy > Stay.vagueAccuracy
        guard current != nil || !isVague else { return [] }
        let radius = isVague ? Self.radius + accuracy : Self.radius
        switch tracker.follow(location, radius: radius, strayLimit: Self.fixesToLeave) {
        case .strayed: return []
        case .left(let stay): return departure(from: stay, at: location.timestamp)
        case .stayed: return arrival(at: location.timestamp)
        }
    }

    private mutating func departure(from stay: Stay?, at now: Timestamp) -> [Visit] {
        guard var visit = current, let stay else { return [] }
        current = nil
        // One that an earlier run found, and that was over before this one saw it: nobody knows when it ended.
        visit.departure = stay.lastFix > visit.arrival ? stay.lastFix : max(visit.arrival, now)
        return [visit]
    }

    private mutating func arrival(at now: Timestamp) -> [Visit] {
        guard current == nil, let stay = tracker.stay, now.seconds(since: stay.since) >= Self.minimumStay else {
            return []
        }
        let centre = stay.centre
        let visit = Visit(
            latitude: centre.latitude, longitude: centre.longitude, horizontalAccuracy: Self.radius,
            arrival: stay.since)
        current = visit
        return [visit]
    }
}
