internal import JSON
internal import LocationModel
internal import NMEA

/// GST and ATT: what a receiver's own error estimate and a compass are told with.
extension JSONWriter {
    /// Writes GST. Its values are standard deviations, as the receiver's are.
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

    /// Writes ATT. `heading` is from true north; from magnetic north it is `mheading`, which gpsd writes from 3.23 on.
    mutating func attitude(_ heading: LocationModel.Heading, device: String?) {
        message("ATT") { writer in
            writer.field("device", device)
            writer.time("time", heading.timestamp)
            writer.field("heading", heading.trueHeading, decimals: 3)
            writer.field("mheading", heading.magneticHeading, decimals: 3)
        }
    }
}
