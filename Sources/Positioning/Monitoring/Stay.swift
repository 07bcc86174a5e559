internal import LocationModel

/// The fixes that a device gave at one place, as their mean.
struct Stay: Sendable, Equatable {
    /// The first one's time.
    private(set) var since: Timestamp
    /// The last one's time.
    private(set) var lastFix: Timestamp
    private let plane: LocalPlane
    private var north = 0.0
    private var east = 0.0
    private var count = 1.0

    /// A fix that may be off by more than this does not move the mean. Metres, 68 %.
    static let vagueAccuracy = 100.0

    /// A stay that begins with `location`.
    init(at location: Location) {
        since = location.timestamp
        lastFix = location.timestamp
        plane = LocalPlane(at: location)
    }

    /// A stay that was told as a visit.
    init(_ visit: Visit, lastFix: Timestamp) {
        since = visit.arrival
        self.lastFix = lastFix
        plane = LocalPlane(latitude: visit.latitude, longitude: visit.longitude)
    }

    /// Where it is: degrees.
    var centre: (latitude: Double, longitude: Double) { plane.place(north: north, east: east) }

    /// Counts `location` among its fixes, if it is no more than `radius` metres from their mean. Whether it is.
    mutating func absorb(_ location: Location, within radius: Double) -> Bool {
        let offset = plane.displacement(to: location)
        let (toNorth, toEast) = (offset.north - north, offset.east - east)
        guard toNorth * toNorth + toEast * toEast + offset.up * offset.up <= radius * radius else { return false }
        if (location.horizontalAccuracy ?? 0) <= Self.vagueAccuracy {
            count += 1
            north += toNorth / count
            east += toEast / count
        }
        lastFix = location.timestamp
        // When the receiver's clock was put back, the stay lasts from now on at the latest.
        since = min(since, lastFix)
        return true
    }
}
