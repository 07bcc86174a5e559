import NMEA

/// What gpsd reports in a line of its protocol (gpsd_json(5)), as far as it is of use. What it does not tell is `nil`.
enum GPSDReport: Equatable {
    /// A position, or that there is none.
    case position(Position)
    /// How good the sky is; the satellites themselves are asked for separately.
    case sky(Sky)
    /// The receiver's own estimate of its error.
    case errors(Errors)
    /// Where a device points.
    case attitude(Attitude)
    /// Its greeting.
    case version
    /// That gpsd has opened or closed a device.
    case device(path: String, isActive: Bool)

    /// A TPV report. The errors are at 95 %, each in one dimension (gps.h: "Error estimates are at 95% confidence").
    struct Position: Equatable {
        var device = ""
        /// Milliseconds since 1970.
        var time: Int64?
        /// 0 or 1: no fix; 2 or 3: dimensions.
        var mode = 0
        var quality: FixQuality?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var ellipsoidalAltitude: Double?
        var course: Double?
        var speed: Double?
        /// Metres to the east and to the north.
        var eastError: Double?
        var northError: Double?
        /// Metres, the radius.
        var horizontalError: Double?
        var verticalError: Double?
        var courseError: Double?
        var speedError: Double?
        /// Degrees by which magnetic north lies east of true north: the receiver's, or gpsd's own model's.
        var magneticVariation: Double?
    }

    /// An ATT report.
    struct Attitude: Equatable {
        var device = ""
        /// Degrees, 0..<360.
        var trueHeading: Double?
        var magneticHeading: Double?
    }

    /// A SKY report.
    struct Sky: Equatable {
        var device = ""
        var satellitesUsed: Int?
        var hdop: Double?
        var vdop: Double?
        var pdop: Double?
    }

    /// A GST report: standard deviations in metres.
    struct Errors: Equatable {
        var device = ""
        /// Milliseconds since 1970.
        var time: Int64?
        var major: Double?
        var minor: Double?
        var north: Double?
        var east: Double?
        var up: Double?
    }
}
