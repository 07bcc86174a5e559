internal import JSON
internal import LocationModel
internal import NMEA

extension JSONWriter {
    /// Writes GST, a receiver's own error estimate. Its values are standard deviations, like the receiver's.
    mutating func errors(_ errors: PositionErrors, at time: Timestamp, device: String?) {
        message("GST") { writer in
            writer.field("device", device)
            writer.time("time", time)
            writer.field("rms", errors.rangeResiduals, decimals: 3)
            writer.field("major", errors.semiMajorAxis, decimals: 3)
            writer.field("minor", errors.semiMinorAxis, decimals: 3)
            writer.field("orient", errors.orientation, decimals: 3)
            writer.field("lat", errors.latitude, decimals: 3)
            writer.field("lon", errors.longitude, decimals: 3)
            writer.field("alt", errors.altitude, decimals: 3)
        }
    }
}
