internal import LocationModel
internal import LocationctlSupport

/// A GPX 1.1 track (topografix.com/GPX/1/1), with its elements in the order of the schema.
enum GPXTrack {
    static let beginning = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locationctl" xmlns="http://www.topografix.com/GPX/1/1">
        <trk><trkseg>

        """
    static let ending = "</trkseg></trk>\n</gpx>\n"

    static func point(_ location: Location) -> String {
        point(
            latitude: location.latitude, longitude: location.longitude, altitude: location.altitude,
            timestamp: location.timestamp)
    }

    static func point(latitude: Double, longitude: Double, altitude: Double?, timestamp: Timestamp?) -> String {
        // The schema's longitudes end below 180; -180 is the same meridian.
        let longitude = longitude == 180 ? -180 : longitude
        var text = "<trkpt lat=\"\(decimal(latitude))\" lon=\"\(decimal(longitude))\">"
        if let altitude { text += "<ele>\(Decimal.text(altitude, digits: 3))</ele>" }
        if let timestamp { text += "<time>\(timestamp)</time>" }
        return text + "</trkpt>\n"
    }

    /// Returns a number without an exponent, which xsd:decimal does not allow and Swift writes for numbers close to
    /// zero.
    private static func decimal(_ degrees: Double) -> String {
        abs(degrees) >= 0.001 ? "\(degrees)" : Decimal.text(degrees, digits: 7)
    }
}
