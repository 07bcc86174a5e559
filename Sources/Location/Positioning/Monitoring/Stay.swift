internal import LocationModel

/// A stay of the device at one place, with the mean of its fixes.
struct Stay: Sendable, Equatable {
    /// The time of the first fix.
    private(set) var since: Timestamp
    /// The time of the last fix.
    private(set) var lastFix: Timestamp
    private let plane: LocalPlane
    private var north = 0.0
    private var east = 0.0
    private var count = 1.0

    /// The worst accuracy of a fix that moves the mean, in metres, 68 %.
    static let worstUsableAccuracy = 100.0

    /// Creates a stay that begins with `location`.
    init(at location: Location) {
        since = location.timestamp
        lastFix = location.timestamp
        plane = LocalPlane(at: location)
    }

    /// Creates the stay of a visit that was already reported.
    init(_ visit: Visit, lastFix: Timestamp) {
        since = visit.arrival
        self.lastFix = lastFix
        plane = LocalPlane(latitude: visit.latitude, longitude: visit.longitude)
    }

    /// The centre of the stay, in degrees.
    var centre: (latitude: Double, longitude: Double) { plane.place(north: north, east: east) }

    /// Extends the stay to a time that contains it.
    mutating func extend(from start: Timestamp, until end: Timestamp) {
        since = min(since, start)
        lastFix = max(lastFix, end)
    }

    /// Adds `location` to the stay if it is at most `radius` metres from the mean. Returns whether it is.
    mutating func absorb(_ location: Location, within radius: Double) -> Bool {
        let offset = plane.displacement(to: location)
        let (toNorth, toEast) = (offset.north - north, offset.east - east)
        guard toNorth * toNorth + toEast * toEast + offset.up * offset.up <= radius * radius else { return false }
        if (location.horizontalAccuracy ?? 0) <= Self.worstUsableAccuracy {
            count += 1
            north += toNorth / count
            east += toEast / count
        }
        lastFix = location.timestamp
        // If the receiver's clock was set back, the stay begins no later than now.
        since = min(since, lastFix)
        return true
    }
}
