/// What a receiver said about one moment: one fix.
///
/// Every value is of the same epoch and the same device; nothing is averaged, carried over from an earlier
/// epoch or completed from elsewhere. What the receiver did not tell is `nil`. Units are SI and degrees.
/// All accuracies are at 68 % (see `RangeError` for where they come from).
public struct Epoch: Sendable, Equatable {
    /// Milliseconds since midnight UTC, 0 ..< 86 400 000. A leap second is told as 23:59:59.990.
    public internal(set) var timeOfDay: Int32
    /// Milliseconds since 1970-01-01T00:00:00Z (POSIX time), `nil` until the receiver has told its date.
    public internal(set) var millisecondsSince1970: Int64?
    /// Latitude as it was sent, within ±90°.
    public internal(set) var exactLatitude: Coordinate
    /// Longitude as it was sent, within ±180°.
    public internal(set) var exactLongitude: Coordinate
    /// How the position was obtained.
    public internal(set) var quality: FixQuality
    /// A Boolean value indicating whether the height was solved for; `nil` without a GSA sentence.
    public internal(set) var dimension: FixDimension?
    /// The talker of the sentence that the position is from.
    public internal(set) var talker: Talker
    /// A Boolean value indicating whether the receiver's date was impossible and whole GPS week cycles (1024 weeks)
    /// were added to it.
    public internal(set) var dateRepaired: Bool
    /// A Boolean value indicating whether the receiver said (DTM, PGRMM) that its coordinates are on another datum than
    /// WGS 84.
    public internal(set) var otherDatum: Bool

    var sent: SentNumbers
    /// -1 when not told.
    var sentSatellitesUsed: Int32
    /// The accuracies at 68 % that the receiver tells outright; else they are estimated by dilution of precision.
    var toldHorizontalAccuracy: Double?
    var toldVerticalAccuracy: Double?
}

extension Epoch {
    /// Degrees north of the equator, -90 ... 90.
    public var latitude: Double { exactLatitude.degrees }
    /// Degrees east of Greenwich, -180 ... 180.
    public var longitude: Double { exactLongitude.degrees }
    /// Metres above mean sea level.
    public var altitude: Double? {
        sent.altitude.scaled() ?? sent.ellipsoidalAltitude.adding(sent.geoidSeparation.negated).scaled()
    }
    /// Metres from the ellipsoid up to mean sea level, as the receiver's geoid model has it.
    public var geoidSeparation: Double? { sent.geoidSeparation.scaled() }
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude: Double? {
        sent.ellipsoidalAltitude.scaled() ?? sent.altitude.adding(sent.geoidSeparation).scaled()
    }
    /// Metres per second over ground, at most ``Plausibility/greatestSpeed``.
    public var speed: Double? {
        guard let sentSpeed, sentSpeed >= 0, sentSpeed <= Plausibility.greatestSpeed else { return nil }
        return sentSpeed
    }
    private var sentSpeed: Double? {
        // One knot is 1852 m in an hour.
        sent.knots.scaled(by: 1852, over: 3600) ?? sent.kilometresPerHour.scaled(by: 10, over: 36)
            ?? sent.trackKnots.scaled(by: 1852, over: 3600) ?? sent.trackKilometresPerHour.scaled(by: 10, over: 36)
    }
    /// Direction of motion, degrees clockwise from true north, 0 ..< 360; `nil` also with a speed that cannot be.
    public var course: Double? {
        if let sentSpeed, sentSpeed > Plausibility.greatestSpeed { return nil }
        return Compass.circle(sent.course.isNone ? sent.trackCourse : sent.course)
    }
    /// Degrees by which magnetic north lies east of true north; negative is west.
    public var magneticVariation: Double? { sent.magneticVariation.scaled() }
    /// Horizontal dilution of precision, 0.01 ... 89.99; the receivers' 99.99 for "unknown" is `nil`.
    public var hdop: Double? { Self.dilution(sent.hdop) ?? Self.dilution(sent.usedHDOP) }
    /// Vertical dilution of precision, 0.01 ... 89.99.
    public var vdop: Double? { Self.dilution(sent.vdop) }
    /// Position dilution of precision, 0.01 ... 89.99.
    public var pdop: Double? { Self.dilution(sent.pdop) }
    /// How many satellites the position was computed from.
    public var satellitesUsed: Int? { sentSatellitesUsed < 0 ? nil : Int(sentSatellitesUsed) }
    /// A Boolean value indicating whether the receiver says that it made the position up.
    public var simulated: Bool { quality == .simulated }

    /// 99.99 and 0 mean "unknown"; 99.0 and 99.9 are seen too.
    private static func dilution(_ number: FixedPoint) -> Double? {
        guard let dilution = number.scaled(), dilution >= 0.01, dilution <= 89.99 else { return nil }
        return dilution
    }
}
