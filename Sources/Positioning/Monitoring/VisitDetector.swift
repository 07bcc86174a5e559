/// Tells of arrivals at places and departures from them.
///
/// Arrival: 5 min within 100 m, told with the time at which the stay began. Departure: two fixes running beyond that, told
/// with the time of the last fix there.
public struct VisitDetector: Sendable {
    /// Metres around the mean of the fixes.
    public static let radius = 100.0
    /// Seconds.
    public static let minimumStay = 300.0

    /// The visit that lasts; `nil` on the way.
    public private(set) var current: Visit?
    /// When the device was last seen there.
    public private(set) var lastSeen: Timestamp?
    private var tracker = StayTracker(strayLimit: 2)
    /// Fixes running beyond a visit that an earlier run found.
    private var strays = 0

    /// A detector that knows nothing, or goes on with a visit that an earlier run of the daemon found.
    public init(current: Visit? = nil, lastSeen: Timestamp? = nil) {
        self.current = current
        self.lastSeen = lastSeen ?? current?.arrival
    }

    /// Takes the next fix; the visits that have ended or begun with it, in that order.
    public mutating func observe(_ location: Location) -> [Visit] {
        let step = tracker.follow(location, radius: Self.radius)
        var visits: [Visit] = []
        if let departed = departure(location) { visits.append(departed) }
        if current == nil, step == .stayed, let stay = tracker.stay,
            location.timestamp.seconds(since: stay.since) >= Self.minimumStay
        {
            let centre = stay.centre
            let visit = Visit(
                latitude: centre.latitude, longitude: centre.longitude, horizontalAccuracy: Self.radius,
                arrival: stay.since)
            current = visit
            lastSeen = location.timestamp
            visits.append(visit)
        }
        return visits
    }

    private mutating func departure(_ location: Location) -> Visit? {
        guard var visit = current else { return nil }
        let plane = LocalPlane(latitude: visit.latitude, longitude: visit.longitude)
        if plane.distance(to: location) <= Self.radius {
            strays = 0
            lastSeen = location.timestamp
            return nil
        }
        strays += 1
        guard strays >= tracker.strayLimit else { return nil }
        visit.departure = lastSeen ?? location.timestamp
        current = nil
        strays = 0
        return visit
    }
}
