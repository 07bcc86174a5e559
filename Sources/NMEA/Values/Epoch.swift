/// What a receiver said about one moment: one fix.
///
/// Every value is of the same epoch and the same device; nothing is averaged, carried over from an earlier
/// epoch or completed from elsewhere. What the receiver did not tell is `nil`. Units are SI and degrees.
/// All accuracies are at 68 % (see `RangeError` for where they come from).
public struct Epoch: Sendable, Equatable {
    /// Milliseconds since midnight UTC, 0 ..< 86 400 000. Second 60 of a leap second is told as 59.999.
    public internal(set) var timeOfDay: Int32
    /// Milliseconds since 1970-01-01T00:00:00Z (POSIX time), `nil` until the receiver has told its date.
    public internal(set) var millisecondsSince1970: Int64?
    /// Latitude as it was sent, within ±90°.
    public internal(set) var exactLatitude: Coordinate
    /// Longitude as it was sent, within ±180°.
    public internal(set) var exactLongitude: Coordinate
    /// Metres above mean sea level.
    public internal(set) var altitude: Double?
    /// Metres from the ellipsoid up to mean sea level, as the receiver's geoid model has it.
    public internal(set) var geoidSeparation: Double?
    /// Metres above the ellipsoid.
    public internal(set) var ellipsoidalAltitude: Double?
    /// Metres per second over ground.
    public internal(set) var speed: Double?
    /// Direction of motion, degrees clockwise from true north, 0 ..< 360.
    public internal(set) var course: Double?
    /// Degrees by which magnetic north lies east of true north; negative is west.
    public internal(set) var magneticVariation: Double?
    /// How the position was obtained.
    public internal(set) var quality: FixQuality
    /// Whether the height was solved for; `nil` without a GSA sentence.
    public internal(set) var dimension: FixDimension?
    /// Horizontal dilution of precision, 0.01 ... 89.99; the receivers' 99.99 for "unknown" is `nil`.
    public internal(set) var hdop: Double?
    /// Vertical dilution of precision, 0.01 ... 89.99.
    public internal(set) var vdop: Double?
    /// Position dilution of precision, 0.01 ... 89.99.
    public internal(set) var pdop: Double?
    /// How many satellites the position was computed from.
    public internal(set) var satellitesUsed: Int?
    /// The talker of the sentence that the position is from.
    public internal(set) var talker: Talker
    /// Whether the receiver's date was impossible and whole GPS week cycles (1024 weeks) were added to it.
    public internal(set) var dateRepaired: Bool
    /// Whether the receiver said (DTM, PGRMM) that its coordinates are on another datum than WGS 84.
    public internal(set) var otherDatum: Bool
    /// Metres, the radius that contains the true position with 68 %.
    public internal(set) var horizontalAccuracy: Double?
    /// Metres, half the height interval that contains the true height with 68 %.
    public internal(set) var verticalAccuracy: Double?
    /// Metres per second, 68 %.
    public internal(set) var speedAccuracy: Double?
    /// Degrees, 68 %.
    public internal(set) var courseAccuracy: Double?

    /// Degrees north of the equator, -90 ... 90.
    public var latitude: Double { exactLatitude.degrees }
    /// Degrees east of Greenwich, -180 ... 180.
    public var longitude: Double { exactLongitude.degrees }
    /// Whether the receiver says that it made the position up.
    public var simulated: Bool { quality == .simulated }
}
