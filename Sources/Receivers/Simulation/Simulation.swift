/// Where a receiver that is simulated on demand is to be: at a place, or on its way along a route.
public struct Simulation: Sendable {
    /// The speeds at which a route can be gone along, in metres per second.
    public static let speeds = 0.1...1000

    let route: Route
    /// Metres per second.
    let speed: Double

    /// A receiver at rest, at sea level.
    ///
    /// Throws a failure `unusable` when it is out of range or not finite.
    ///
    /// - Parameters:
    ///   - latitude: degrees, -90...90.
    ///   - longitude: degrees, -180...180.
    public init(latitude: Double, longitude: Double) throws(ReceiverFailure) {
        try Self.check(latitude, "latitude", -90...90, "degrees")
        try Self.check(longitude, "longitude", -180...180, "degrees")
        route = Route(places: [Route.Place(latitude: latitude, longitude: longitude, altitude: 0)])
        speed = ReceiverSimulator.defaultSpeed
    }

    /// A receiver that moves along a GPX file's track, or without one its route, or else its waypoints: round and round
    /// if the ends are close to each other, else there and back.
    ///
    /// Throws a failure `unusable` that names the line when it is no GPX file with one place at least, and one when the
    /// speed is out of range.
    ///
    /// - Parameters:
    ///   - gpx: the text of the file, GPX 1.0 or 1.1, with at most a million places. The caller bounds its length.
    ///   - speed: metres per second, one of `speeds`; `nil` is 3, the speed of somebody who runs.
    public init(gpx: String, speed: Double? = nil) throws(ReceiverFailure) {
        let speed = speed ?? ReceiverSimulator.defaultSpeed
        try Self.check(speed, "speed", Self.speeds, "m/s")
        var reader = GPXReader()
        do throws(GPXReader.Failure) {
            try reader.read(Array(gpx.utf8).span)
            route = Route(places: try reader.finish())
        } catch {
            throw ReceiverFailure(.unusable, "line \(error.line) of the GPX file: \(error.message)")
        }
        self.speed = speed
    }

    private static func check(
        _ value: Double, _ name: String, _ range: ClosedRange<Double>, _ unit: String
    ) throws(ReceiverFailure) {
        guard !range.contains(value) else { return }
        let bounds = [range.lowerBound, range.upperBound].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        throw ReceiverFailure(
            .unusable, "\(name) \(value) is out of range: \(bounds[0]) to \(bounds[1]) \(unit) are allowed")
    }
}
