import NMEA

/// A line of gpsd's protocol (gpsd_json(5)), reduced to the values used here. Values missing in the line are `nil`.
enum GPSDReport: Equatable {
    /// A position, or the statement that there is no fix.
    case position(Position)
    /// Quality of the sky view. The satellites themselves are read separately.
    case sky(Sky)
    /// The receiver's own error estimate.
    case errors(Errors)
    /// The direction that a device points in.
    case attitude(Attitude)
    /// gpsd's greeting.
    case version
    /// gpsd opened or closed a device.
    case device(path: String, isActive: Bool)

    /// A TPV report. The errors are at 95 %, each in one dimension (gps.h: "Error estimates are at 95% confidence").
    struct Position: Equatable {
        var device = ""
        /// Milliseconds since 1970.
        var time: Int64?
        /// 0 or 1 without a fix, otherwise the number of dimensions.
        var mode = 0
        var quality: FixQuality?
        /// The age of the differential corrections in seconds.
        var correctionAge: Double?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var ellipsoidalAltitude: Double?
        var course: Double?
        var speed: Double?
        /// Metres to the east and to the north.
        var eastError: Double?
        var northError: Double?
        /// The radius in metres.
        var horizontalError: Double?
        var verticalError: Double?
        var speedError: Double?
        /// Degrees from true north eastwards to magnetic north, from the receiver or from gpsd's own model.
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
        var satellitesInView = 0
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
