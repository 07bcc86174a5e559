/// A way through a list of places, to be moved along at any distance from its start.
///
/// Between two places it runs straight, on a sphere of the Earth's mean radius: good to 0.5 % of the distance.
struct Route: Sendable {
    /// A place of the route.
    struct Place: Sendable, Equatable {
        /// Degrees, WGS 84.
        var latitude: Double
        var longitude: Double
        /// Metres above mean sea level.
        var altitude: Double
    }

    /// Where one is after some distance.
    struct Position: Equatable {
        var place: Place
        /// Degrees clockwise from true north; `nil` on a route without extent.
        var course: Double?
    }

    /// The Earth's mean radius in metres (IUGG R1).
    static let earthRadius = 6_371_008.8
    /// The ends of a way that are no further apart than this many metres are joined.
    static let joinDistance = 50.0

    /// Metres from the ellipsoid up to mean sea level; `nil` when not known.
    let geoidSeparation: Double?
    private let places: [Place]
    /// The distance of each place from the first, in metres.
    private let distances: [Double]

    /// The way through `places`, one at least. It is gone round if its ends are close to each other, else there and back.
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

    /// The length of one round, or of the way there and back, in metres.
    var length: Double { distances.last! }

    /// Where one is after `distance` metres, any number of rounds included.
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

    /// The first place that is further than `distance` from the start; the last one if there is none. Never 0.
    private func firstIndex(beyond distance: Double) -> Int {
        var (low, high) = (1, distances.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if distances[middle] > distance { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
