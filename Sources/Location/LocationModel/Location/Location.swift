/// One fix, as an app receives it: a position, and everything that is known about it.
///
/// Units are SI and degrees. Values that the receiver did not report are `nil`. Every accuracy is the radius or half
/// width that contains the true value with a probability of 68 % (one sigma in one dimension), whatever confidence
/// level the source uses.
public struct Location: Sendable, Equatable, Codable {
    /// The time when the position was valid, by the receiver's own clock.
    public var timestamp: Timestamp
    /// The latitude in degrees north of the equator, WGS 84, -90...90.
    public var latitude: Double
    /// The longitude in degrees east of Greenwich, WGS 84, -180...180.
    public var longitude: Double
    /// The horizontal accuracy in metres, 68 %.
    public var horizontalAccuracy: Double?
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// The altitude in metres above the WGS 84 ellipsoid.
    public var ellipsoidalAltitude: Double?
    /// The accuracy of both altitudes in metres, 68 %. An ellipsoidal altitude that is modelled is less accurate.
    public var verticalAccuracy: Double?
    /// The altitude that was computed from the other one, because the receiver reported only that. The computation uses
    /// a coarse model of the geoid, with an error of up to 1.6 m for 68 % of the places on land, and up to 21 m. `nil`
    /// if the receiver reported both altitudes or neither.
    public var modelledAltitude: ModelledAltitude?
    /// The direction of motion in degrees clockwise from true north, 0..<360.
    public var course: Double?
    /// The accuracy of the course in degrees, 68 %.
    public var courseAccuracy: Double?
    /// The speed over ground in metres per second.
    public var speed: Double?
    /// The accuracy of the speed in metres per second, 68 %.
    public var speedAccuracy: Double?
    /// The way the receiver obtained the position.
    public var quality: LocationQuality?
    /// The age of the corrections that were used for the position, in seconds.
    public var correctionAge: Double?
    /// The number of satellites that were used for the position.
    public var satellitesUsed: Int?
    /// The horizontal dilution of precision, 0.01...89.99.
    public var horizontalDilution: Double?
    /// A Boolean value indicating whether software made up the position: a simulator, or a receiver that reports itself
    /// as a simulator.
    public var simulated: Bool
    /// The name of the receiver that produced the fix.
    public var receiver: String?
    /// `true` if an accessory of the machine produced the fix and a program passed it on, such as a phone. `nil`
    /// otherwise.
    public var accessory: Bool?
    /// The reasons to doubt the fix, or `nil` if there are none. Always `nil` with reduced accuracy.
    public var doubts: FixDoubts?

    /// Creates a location with nothing but its time and place.
    public init(timestamp: Timestamp, latitude: Double, longitude: Double, simulated: Bool = false) {
        self.timestamp = timestamp
        self.latitude = latitude
        self.longitude = longitude
        self.simulated = simulated
    }

    private enum CodingKeys: String, CodingKey {
        case timestamp, latitude, longitude, horizontalAccuracy, altitude, ellipsoidalAltitude, verticalAccuracy,
            modelledAltitude, course, courseAccuracy, speed, speedAccuracy, quality, correctionAge, satellitesUsed,
            horizontalDilution, simulated, receiver, accessory
        case doubts = "integrity"
    }
}

/// One of the two altitudes of a location.
public enum ModelledAltitude: String, Sendable, Codable, CaseIterable {
    /// The altitude above mean sea level.
    case altitude
    /// The altitude above the WGS 84 ellipsoid.
    case ellipsoidalAltitude
}

/// The way a position was obtained.
public enum LocationQuality: String, Sendable, Codable, CaseIterable {
    /// From satellites alone, without corrections.
    case autonomous
    /// From satellites, corrected by SBAS or a reference station.
    case differential
    /// From the encrypted precise service.
    case precise
    /// From the carrier phase, with the ambiguities resolved to integers.
    case rtkFixed
    /// From the carrier phase, with the ambiguities not yet resolved.
    case rtkFloat
    /// From sensors and the last fix, with no or too few satellites.
    case deadReckoning
    /// Stated by a person, to this service or to the receiver: the place of a machine that does not move.
    case fixed
    /// Made up by the receiver.
    case simulated
    /// Not from a receiver: the networks around the machine are those of a place where it was before. The horizontal
    /// accuracy is the radius of that place.
    case remembered
}

extension Location {
    /// Returns the horizontal distance to `other` along the WGS 84 ellipsoid, in metres, regardless of altitude.
    ///
    /// The result is correct to a micrometre between any two places on Earth, including antipodes, and to a relative
    /// error of 1e-9 for short distances.
    public func distance(to other: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
