package import LocationModel
internal import SentenceWriting

/// The position for a caster that computes corrections for it: a GGA sentence of NMEA 0183.
package enum UpstreamPosition {
    /// Returns the sentence for a location, with its line end.
    ///
    /// Some casters refuse other numbers of decimals or fields, no satellites, or a missing height. So everything but
    /// the place, and the height if the location has one, is made up. In particular, a receiver's own sentences are
    /// never passed on.
    ///
    /// - Parameter time: The time of sending.
    package static func sentence(of location: Location, at time: Timestamp) -> [UInt8] {
        let altitude = location.altitude ?? 0
        let separation = location.ellipsoidalAltitude.map { $0 - altitude } ?? 0
        var writer = SentenceWriter()
        writer.add(
            "GPGGA,\(SentenceWriter.time(time)),\(SentenceWriter.latitude(location.latitude, decimals: 4)),"
                + "\(SentenceWriter.longitude(location.longitude, decimals: 4)),1,10,1.0,"
                + "\(SentenceWriter.decimal(altitude, decimals: 1)),M,"
                + "\(SentenceWriter.decimal(separation, decimals: 1)),M,,")
        return writer.bytes
    }
}
