/// A fix: everything that a receiver reported about one moment.
///
/// All values belong to the same epoch and the same device, with two exceptions: a height with a time that is less than
/// five seconds behind, and the motion of another device if the followed one sends no motion. Nothing is averaged or
/// completed from elsewhere. Values that the receiver did not report are `nil`. Units are SI and degrees. All
/// accuracies are at 68 % (see `RangeError` for their sources).
public struct Epoch: Sendable, Equatable {
    /// The time of day in milliseconds since midnight UTC, 0 ..< 86 400 000. A leap second is reported as
    /// 23:59:59.990. `nil` if the receiver has sent the position without a time.
    public internal(set) var timeOfDay: Int32?
    /// The time in milliseconds since 1970-01-01T00:00:00Z (POSIX time), or `nil` until the receiver has sent its date.
    /// Some receivers never do.
    public internal(set) var millisecondsSince1970: Int64?
    /// The latitude as it was sent, within ±90°.
    public internal(set) var exactLatitude: Coordinate
    /// The longitude as it was sent, within ±180°.
    public internal(set) var exactLongitude: Coordinate
    /// The way the position was obtained.
    public internal(set) var quality: FixQuality
    /// The dimensions that the receiver solved for, or `nil` if no sentence (GSA, PUBX,00, PGRMZ, NAV-PVT) reports
    /// them.
    public internal(set) var dimension: FixDimension?
    /// The talker of the sentence that the position comes from, or `GN` if it comes from a frame.
    public internal(set) var talker: Talker
    /// A Boolean value indicating whether the receiver's date was impossible and was corrected by whole GPS week
    /// cycles (1024 weeks).
    public internal(set) var dateRepaired: Bool
    /// A Boolean value indicating whether a sentence of this epoch contained the date. Otherwise it is known from an
    /// earlier epoch.
    public internal(set) var isDateSent = false
    /// The caller's mark for the bytes that begin the epoch (`NMEADecoder.mark(_:)`), or 0.
    public internal(set) var mark: UInt32 = 0
    /// The datum of the coordinates (DTM, PGRMM), or `nil` for WGS 84. If the receiver has sent the offsets with DTM,
    /// the coordinates were converted to WGS 84.
    public internal(set) var datum: Datum?
    /// The maximum error of the coordinates because of their datum, in metres.
    var datumError: Float

    var sent: SentNumbers
    /// The number of satellites used, or -1 if unknown.
    var sentSatellitesUsed: Int32
    /// The accuracies at 68 % that the receiver itself reports. Without them, accuracies are estimated from the
    /// dilution of precision.
    var reportedHorizontalAccuracy: Double?
    var reportedVerticalAccuracy: Double?
}

extension Epoch {
    /// The latitude in degrees north of the equator, -90 ... 90.
    public var latitude: Double { exactLatitude.degrees }
    /// The longitude in degrees east of Greenwich, -180 ... 180.
    public var longitude: Double { exactLongitude.degrees }
    /// The altitude in metres above mean sea level.
    public var altitude: Double? {
        sent.altitude.scaled() ?? sent.ellipsoidalAltitude.adding(sent.geoidSeparation.negated).scaled()
    }
    /// The height of mean sea level above the ellipsoid in metres, by the receiver's geoid model.
    public var geoidSeparation: Double? { sent.geoidSeparation.scaled() }
    /// The altitude in metres above the ellipsoid of WGS 84. It is not known on another datum.
    public var ellipsoidalAltitude: Double? {
        guard datumError == 0 else { return nil }
        return sent.ellipsoidalAltitude.scaled() ?? sent.altitude.adding(sent.geoidSeparation).scaled()
    }
    /// The motion over ground. Its parts are separate properties, too, and each computes all of it.
    public var motion: Motion {
        let sentSpeed = sentSpeed
        if let sentSpeed, sentSpeed > Plausibility.greatestSpeed { return Motion() }
        let speed = sentSpeed.flatMap { $0 >= 0 ? $0 : nil }
        let speedAccuracy = speed == nil ? nil : accuracyOfSpeed
        let course = sentCourse
        return Motion(
            speed: speed, speedAccuracy: speedAccuracy, course: course,
            courseAccuracy: course == nil ? nil : accuracyOfCourse(speed, speedAccuracy))
    }
    /// The speed over ground in metres per second, at most ``Plausibility/greatestSpeed``.
    public var speed: Double? { motion.speed }
    /// The accuracy of the speed in metres per second, 68 %.
    public var speedAccuracy: Double? { motion.speedAccuracy }
    /// The direction of motion in degrees clockwise from true north, 0 ..< 360.
    public var course: Double? { motion.course }
    /// The accuracy of the course in degrees, 68 %.
    public var courseAccuracy: Double? { motion.courseAccuracy }
    private var sentSpeed: Double? {
        if !sent.motion.isNone { return Double(sent.motion.speed) / 1000 }
        // One knot is 1852 m per hour.
        return sent.knots.scaled(by: 1852, over: 3600) ?? sent.kilometresPerHour.scaled(by: 10, over: 36)
            ?? sent.trackKnots.scaled(by: 1852, over: 3600) ?? sent.trackKilometresPerHour.scaled(by: 10, over: 36)
    }
    private var sentCourse: Double? {
        if !sent.motion.isNone {
            return Compass.circle(FixedPoint(mantissa: Int64(sent.motion.course), scale: 5))
        }
        return Compass.circle(sent.course.isNone ? sent.trackCourse : sent.course)
    }
    /// The angle in degrees from true north eastwards to magnetic north. Negative is west.
    public var magneticVariation: Double? { sent.magneticVariation.scaled() }
    /// The horizontal dilution of precision, 0.01 ... 89.99. The 99.99 that receivers send for "unknown" becomes
    /// `nil`.
    public var hdop: Double? { Self.dilution(sent.hdop) ?? Self.dilution(sent.usedHDOP) }
    /// The vertical dilution of precision, 0.01 ... 89.99.
    public var vdop: Double? { Self.dilution(sent.vdop) }
    /// The position dilution of precision, 0.01 ... 89.99.
    public var pdop: Double? { Self.dilution(sent.pdop) }
    /// The number of satellites that were used for the position.
    public var satellitesUsed: Int? { sentSatellitesUsed < 0 ? nil : Int(sentSatellitesUsed) }
    /// The age of the corrections that were used for the position, in seconds, 0 ... 86 400.
    public var correctionAge: Double? { sent.correctionAge.scaled().flatMap { (0...86_400).contains($0) ? $0 : nil } }
    /// A Boolean value indicating whether the receiver reports that the position is simulated.
    public var simulated: Bool { quality == .simulated }

    /// Returns a plausible dilution, or `nil`: 99.99 and 0 mean "unknown", and 99.0 and 99.9 also occur.
    private static func dilution(_ number: FixedPoint) -> Double? {
        // Digits beyond a millionth come from a program's arithmetic.
        guard let dilution = number.rounded(toScale: 6).scaled(), dilution >= 0.01, dilution <= 89.99 else {
            return nil
        }
        return dilution
    }
}

/// The motion of a device over ground. All values are `nil` if the speed is implausible.
public struct Motion: Sendable, Equatable {
    /// The speed in metres per second, at most ``Plausibility/greatestSpeed``.
    public internal(set) var speed: Double?
    /// The accuracy of the speed in metres per second, 68 %.
    public internal(set) var speedAccuracy: Double?
    /// The direction of motion in degrees clockwise from true north, 0 ..< 360.
    public internal(set) var course: Double?
    /// The accuracy of the course in degrees, 68 %, or `nil` without a course, or if the device may as well be
    /// stationary.
    public internal(set) var courseAccuracy: Double?
}

/// The way a position was obtained: GGA field 6, the mode indicator of RMC, GLL and GNS, and their
/// proprietary equivalents.
public enum FixQuality: UInt8, Sendable, Hashable, CaseIterable {
    /// Satellites alone, without corrections (GGA 1, mode A).
    case autonomous
    /// Corrected by SBAS or a reference station (GGA 2 and 9, mode D).
    case differential
    /// The encrypted precise service (GGA 3, mode P).
    case precise
    /// Carrier phase with the ambiguities resolved to integers (GGA 4, mode R).
    case rtkFixed
    /// Carrier phase with the ambiguities not yet resolved (GGA 5, mode F).
    case rtkFloat
    /// Dead reckoning from sensors and the last fix, with no or too few satellites (GGA 6, mode E).
    case estimated
    /// Entered manually (GGA 7, mode M).
    case manual
    /// Simulated by the receiver (GGA 8, mode S).
    case simulated
    /// A fix of an unknown kind (GGA 10 and above).
    case unknown
}

/// The dimensions of a fix, as the receiver reports them.
public enum FixDimension: UInt8, Sendable, Hashable {
    /// Latitude and longitude. The height is assumed.
    case two = 2
    /// Latitude, longitude and height.
    case three = 3
}
