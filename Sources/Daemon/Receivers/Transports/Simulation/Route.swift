/// A path through a list of places that yields the position at any distance from its start.
///
/// Between two places it is straight, on a sphere of the Earth's mean radius: accurate to 0.5 % of the distance.
struct Route: Sendable {
    /// A place on the route.
    struct Place: Sendable, Equatable {
        /// Degrees, WGS 84.
        var latitude: Double
        var longitude: Double
        /// Metres above mean sea level.
        var altitude: Double
    }

    /// A position on the route, and the course there.
    struct Position: Equatable {
        var place: Place
        /// Degrees clockwise from true north, or `nil` on a route without extent.
        var course: Double?
    }

    /// The Earth's mean radius in metres (IUGG R1).
    static let earthRadius = 6_371_008.8
    /// The maximum distance, in metres, between the ends of a path that is closed to a loop.
    static let joinDistance = 50.0

    /// Metres from the ellipsoid up to mean sea level, or `nil` if unknown.
    let geoidSeparation: Double?
    private let places: [Place]
    /// The distance of each place from the first, in metres.
    private let distances: [Double]

    /// Creates a route through `places`, at least one. If its ends are close to each other, it is a loop, otherwise it
    /// leads there and back.
    init(places: [Place], geoidSeparation: Double? = nil) {
        precondition(!places.isEmpty)
        var places = places
        let isLoop = Self.distance(places[0], places[places.count - 1]) <= Self.joinDistance
        places += isLoop ? [places[0]] : places.dropLast().reversed()
        var distances = [0.0]
        distances.reserveCapacity(places.count)
        for (a, b) in zip(places, places.dropFirst()) { distances.append(distances.last! + Self.distance(a, b)) }
        self.places = places
        self.distances = distances
        self.geoidSeparation = geoidSeparation
    }

    /// The length of one loop, or of the way there and back, in metres.
    var length: Double { distances.last! }

    /// Returns the position after `distance` metres, which may include any number of rounds.
    func position(after distance: Double) -> Position {
        guard length > 0 else { return Position(place: places[0], course: nil) }
        let remainder = distance.truncatingRemainder(dividingBy: length)
        let along = remainder < 0 ? remainder + length : remainder
        let index = firstIndex(beyond: along)
        let (from, to) = (places[index - 1], places[index])
        let extent = distances[index] - distances[index - 1]
        let fraction = extent > 0 ? (along - distances[index - 1]) / extent : 0
        let east = Self.longitudeDifference(from, to)
        let place = Place(
            latitude: from.latitude + (to.latitude - from.latitude) * fraction,
            longitude: Self.normalized(from.longitude + east * fraction),
            altitude: from.altitude + (to.altitude - from.altitude) * fraction)
        return Position(place: place, course: Self.course(from, to))
    }

    /// Returns the index of the first place further than `distance` from the start, or of the last place. Never 0.
    private func firstIndex(beyond distance: Double) -> Int {
        var (low, high) = (1, distances.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if distances[middle] > distance { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
