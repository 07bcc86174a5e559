import GPX

/// A parser for the places in a GPX 1.0 or 1.1 file: the points of its track, else of its route, else its waypoints.
/// Points that cannot be read are left out.
struct GPXReader {
    typealias Failure = GPXFailure

    /// The maximum number of places. A week at 1 Hz fits.
    static let maximumPlaces = 1_000_000

    private var points = GPXPointReader()
    private var tracks: [Route.Place] = []
    private var routes: [Route.Place] = []
    private var waypoints: [Route.Place] = []

    /// Parses the next bytes of the file.
    mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
        var offset = 0
        while let point = try points.next(in: bytes, at: &offset) {
            guard tracks.count + routes.count + waypoints.count < Self.maximumPlaces else {
                throw points.failure("there are more than \(Self.maximumPlaces) places in the file")
            }
            let place = Route.Place(
                latitude: point.latitude, longitude: point.longitude, altitude: point.elevation ?? 0)
            switch point.kind {
            case .track: tracks.append(place)
            case .route: routes.append(place)
            case .waypoint: waypoints.append(place)
            }
        }
    }

    /// Returns the places, at least one, once the whole file has been parsed.
    func finish() throws(Failure) -> [Route.Place] {
        try points.finish()
        guard let places = [tracks, routes, waypoints].first(where: { !$0.isEmpty }) else {
            let kinds: [GPXPoint.Kind] = [.track, .route, .waypoint]
            throw kinds.lazy.compactMap { points.skipped($0).first }.first
                ?? points.failure("there is no <trkpt>, <rtept> or <wpt> in the file")
        }
        return places
    }
}
