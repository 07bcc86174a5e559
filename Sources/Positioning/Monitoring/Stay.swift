/// The fixes that a device gave at one place, as their mean.
struct Stay: Sendable, Equatable {
    /// The first one's time.
    let since: Timestamp
    /// The last one's time.
    private(set) var lastFix: Timestamp
    private let plane: LocalPlane
    private var north = 0.0
    private var east = 0.0
    private var count = 1.0

    /// A stay that begins with `location`.
    init(at location: Location) {
        since = location.timestamp
        lastFix = location.timestamp
        plane = LocalPlane(at: location)
    }

    /// Where it is: degrees.
    var centre: (latitude: Double, longitude: Double) { plane.place(north: north, east: east) }

    /// Metres from its centre to `location`.
    func distance(to location: Location) -> Double {
        // Beyond any circle that is asked about the plane's distortion does not matter.
        let offset = plane.displacement(to: location)
        let (toNorth, toEast) = (offset.north - north, offset.east - east)
        return (toNorth * toNorth + toEast * toEast).squareRoot()
    }

    /// Counts `location` among its fixes.
    mutating func add(_ location: Location) {
        let offset = plane.displacement(to: location)
        count += 1
        north += (offset.north - north) / count
        east += (offset.east - east) / count
        lastFix = location.timestamp
    }
}

/// Follows a device from one stay to the next.
///
/// GNSS receivers give single fixes that are tens of metres off. So a fix outside of the circle does not end a stay; several
/// running do, and the next stay then begins with the first of those that are close to each other.
struct StayTracker: Sendable, Equatable {
    /// How many fixes running outside of the circle end a stay.
    let strayLimit: Int
    private(set) var stay: Stay?
    private var rival: Stay?
    private(set) var strays = 0

    init(strayLimit: Int) {
        self.strayLimit = strayLimit
    }

    /// What a fix does.
    enum Step: Equatable {
        /// It is within the circle.
        case stayed
        /// It is outside; the stay goes on.
        case strayed
        /// It ended the stay given, if there was one; another has begun.
        case left(Stay?)
    }

    /// Takes a fix. `radius` is the circle's around the stay's centre, in metres; `isMoving` puts the
    /// fix outside wherever it is, and begins no stay.
    mutating func follow(_ location: Location, radius: Double, isMoving: Bool = false) -> Step {
        if !isMoving, let stay, stay.distance(to: location) <= radius {
            self.stay?.add(location)
            rival = nil
            strays = 0
            return .stayed
        }
        if isMoving {
            rival = nil
        } else if let rival, rival.distance(to: location) <= radius {
            self.rival?.add(location)
        } else {
            rival = Stay(at: location)
        }
        strays += 1
        guard stay == nil || strays >= strayLimit else { return .strayed }
        let ended = stay
        stay = rival
        rival = nil
        strays = 0
        return .left(ended)
    }
}
