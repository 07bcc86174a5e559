import Devices
import GPX

/// The position or movement of a receiver that is simulated on demand: a place, or a route.
public struct Simulation: Sendable {
    /// The range of speeds along a route, in metres per second.
    public static let speeds = 0.1...1000

    let route: Route
    /// Metres per second.
    let speed: Double

    /// Creates a stationary receiver at sea level.
    ///
    /// - Parameters:
    ///   - latitude: Degrees, -90...90.
    ///   - longitude: Degrees, -180...180.
    /// - Throws: A failure with reason `unusable` if a coordinate is out of range or not finite.
    public init(latitude: Double, longitude: Double) throws(ReceiverFailure) {
        try Self.check(latitude, of: "latitude", in: -90...90, unit: "degrees")
        try Self.check(longitude, of: "longitude", in: -180...180, unit: "degrees")
        route = Route(places: [Route.Place(latitude: latitude, longitude: longitude, altitude: 0)])
        speed = ReceiverSimulator.defaultSpeed
    }

    /// Creates a receiver that moves along the track of a GPX file, else along its route, else along its waypoints: in
    /// a loop if the ends are close to each other, otherwise there and back.
    ///
    /// - Parameters:
    ///   - gpx: The text of the file, GPX 1.0 or 1.1, with at most a million places. The caller limits its length.
    ///   - speed: The speed in metres per second, within `speeds`; `nil` means 3, a running pace.
    /// - Throws: A failure with reason `unusable` that names the line if the text is not a GPX file with at least one
    ///   place, or that names the speed if it is out of range.
    public init(gpx: String, speed: Double? = nil) throws(ReceiverFailure) {
        let speed = speed ?? ReceiverSimulator.defaultSpeed
        try Self.check(speed, of: "speed", in: Self.speeds, unit: "m/s")
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
        _ value: Double, of name: String, in range: ClosedRange<Double>, unit: String
    ) throws(ReceiverFailure) {
        guard !range.contains(value) else { return }
        let (low, high) = (range.lowerBound.shortText, range.upperBound.shortText)
        throw ReceiverFailure(.unusable, "\(name) \(value) is out of range: \(low) to \(high) \(unit) are allowed")
    }
}
