/// A position with what is known about it: one fix, as an app gets it.
///
/// Units are SI and degrees. What the receiver did not tell is `nil`. Every accuracy is the radius or half
/// width that contains the true value with a probability of 68 % (one sigma in one dimension), whatever
/// confidence level the source uses.
public struct Location: Sendable, Equatable, Codable {
    /// When the position held, by the receiver's own clock.
    public var timestamp: Timestamp
    /// Degrees north of the equator, WGS 84, -90...90.
    public var latitude: Double
    /// Degrees east of Greenwich, WGS 84, -180...180.
    public var longitude: Double
    /// Metres, 68 %.
    public var horizontalAccuracy: Double?
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres above the WGS 84 ellipsoid.
    public var ellipsoidalAltitude: Double?
    /// Metres, 68 %; of both altitudes.
    public var verticalAccuracy: Double?
    /// Direction of motion, degrees clockwise from true north, 0..<360.
    public var course: Double?
    /// Degrees, 68 %.
    public var courseAccuracy: Double?
    /// Metres per second over ground.
    public var speed: Double?
    /// Metres per second, 68 %.
    public var speedAccuracy: Double?
    /// A Boolean value indicating whether the position was made up by software: a simulator, or a receiver that says so
    /// of itself.
    public var simulated: Bool
    /// The name of the receiver that the fix came from.
    public var receiver: String?

    /// A location of which only the time and the place are known.
    public init(timestamp: Timestamp, latitude: Double, longitude: Double, simulated: Bool = false) {
        self.timestamp = timestamp
        self.latitude = latitude
        self.longitude = longitude
        self.simulated = simulated
    }
}
