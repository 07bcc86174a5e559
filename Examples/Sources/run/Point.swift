import CoreLocation

/// A location of the run. A pause begins a new segment.
struct Point {
    let segment: Int
    let time: Date
    let latitude: Double
    let longitude: Double
    let altitude: Double

    init(_ location: CLLocation, segment: Int) {
        self.segment = segment
        time = location.timestamp
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        altitude = location.altitude
    }

    /// Reads a line of the part file, or returns `nil` if it is incomplete.
    init?(_ line: Substring) {
        let fields = line.split(separator: ",").compactMap { Double($0) }
        guard fields.count == 5 else { return nil }
        segment = Int(fields[0])
        time = Date(timeIntervalSince1970: fields[1])
        (latitude, longitude, altitude) = (fields[2], fields[3], fields[4])
    }

    var line: String {
        String(format: "%d,%.3f,%.7f,%.7f,%.1f\n", segment, time.timeIntervalSince1970, latitude, longitude, altitude)
    }

    var gpx: String {
        let text = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let place = String(format: "lat=\"%.7f\" lon=\"%.7f\"", latitude, longitude)
        return "<trkpt \(place)><ele>\(String(format: "%.1f", altitude))</ele><time>\(text)</time></trkpt>\n"
    }
}

/// Returns a run as GPX 1.1, with a track segment for each part between two pauses.
func gpx(of points: [Point]) -> String {
    var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="run" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>

        """
    for (index, point) in points.enumerated() {
        if index > 0, points[index - 1].segment != point.segment { text += "</trkseg><trkseg>\n" }
        text += point.gpx
    }
    return text + "</trkseg></trk></gpx>\n"
}
