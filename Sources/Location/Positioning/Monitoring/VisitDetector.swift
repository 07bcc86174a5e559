public import LocationModel

/// Detects arrivals at places and departures from them.
///
/// The device has arrived after 5 min within 100 m; the arrival is reported with the time when the stay began. It has
/// departed after two fixes in a row beyond the circle; the departure is reported with the time of the last fix at the
/// place. A fix that may itself be off by more than 100 m does not cause an arrival, and is beyond the circle only if
/// it is outside by more than its accuracy.
public struct VisitDetector: Sendable {
    /// The radius of a visit around the mean of its fixes, in metres.
    public static let radius = 100.0
    /// The shortest visit, in seconds.
    public static let minimumStay = 300.0

    private static let fixesToDepart = 2

    /// The current visit, or `nil` if the device is not at a place.
    public private(set) var current: Visit?
    private var tracker: StayTracker
    /// The time of the first fix since the detector was created, or `nil` if there was none.
    private var firstFix: Timestamp?

    /// Creates a detector. `current` is a visit from before a restart, and `lastSeen` the time of its last fix.
    public init(current: Visit? = nil, lastSeen: Timestamp? = nil) {
        self.current = current
        tracker = StayTracker(stay: current.map { Stay($0, lastFix: lastSeen ?? $0.arrival) })
    }

    /// The time when the device was last seen at the current visit, or `nil` if there is no current visit.
    public var lastSeen: Timestamp? { current == nil ? nil : tracker.stay?.lastFix }

    /// Consumes the next fix. Returns the visits that it ended or began, in that order.
    public mutating func observe(_ location: Location) -> [Visit] {
        firstFix = firstFix ?? location.timestamp
        let accuracy = location.horizontalAccuracy ?? 0
        let isVague = accuracy > Stay.worstUsableAccuracy
        guard current != nil || !isVague else { return [] }
        let radius = isVague ? Self.radius + accuracy : Self.radius
        switch tracker.follow(location, radius: radius, strayLimit: Self.fixesToDepart) {
        case .strayed: return []
        case .left(let stay): return departure(from: stay, at: location.timestamp)
        case .stayed: return arrival(at: location.timestamp)
        }
    }

    /// Handles that the radio surroundings of the device were the same from `start` to `end`. A stay whose last fix was
    /// made in that time has lasted until its end. Returns the visits that this ended or began, in that order.
    ///
    /// Attack: an app gets visits, or the user has their visits forgotten, and the surroundings tell when the device
    /// arrived before that, perhaps with another user. So no stay begins before the detector's first fix.
    ///
    /// - Parameters:
    ///   - last: The part of that time that is certain, for the time of the departure.
    ///   - beginsThen: A Boolean value indicating whether the stay has begun at `start`, too.
    public mutating func extendStay(
        from start: Timestamp, until end: Timestamp, certainUntil last: Timestamp, beginsThen: Bool
    ) -> [Visit] {
        let earliest = firstFix.map { max(start, $0) }
        switch tracker.extend(after: start, from: beginsThen ? earliest : nil, until: end, certainUntil: last) {
        case .left(let stay): return departure(from: stay, at: start) + arrival(at: end)
        case .stayed: return arrival(at: end)
        case .strayed, nil: return []
        }
    }

    private mutating func departure(from stay: Stay?, at now: Timestamp) -> [Visit] {
        guard var visit = current, let stay else { return [] }
        current = nil
        // The device left before the first fix since a restart: the time of the departure is not known.
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
