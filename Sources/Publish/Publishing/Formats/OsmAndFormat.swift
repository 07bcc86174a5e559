internal import LocationModel

/// Traccar's OsmAnd protocol (traccar.org/osmand), as the form of an HTTP POST request.
///
/// Traccar reads the same parameters from a request's address, but then proxies and servers log the location. It
/// detects duplicates by `id` and `timestamp`, which is in milliseconds.
package struct OsmAndFormat: ReportFormat {
    private let device: String

    /// Creates the format. `device` is the identifier of the device in Traccar.
    package init(device: String) {
        self.device = device
    }

    package var availability: Availability? { nil }
    package var announcements: [Message] { [] }

    package func state(of entry: QueuedReport) -> Message? { nil }

    package func message(for entry: QueuedReport) -> Message {
        let location = entry.report.location
        var form = Form()
        form.add("id", device)
        form.add("timestamp", "\(location.timestamp.millisecondsSince1970)")
        form.add("lat", location.latitude)
        form.add("lon", location.longitude)
        form.add("speed", location.speed.map { $0 * Self.knotsPerMetrePerSecond }, decimals: 3)
        form.add("bearing", location.course)
        form.add("altitude", location.altitude)
        form.add("accuracy", location.horizontalAccuracy)
        if let crossing = entry.report.crossing {
            form.add("event", crossing.isEntry ? "enter" : "leave")
            form.add("region", crossing.region)
        }
        return Message(topic: "", payload: Array(form.text.utf8))
    }

    private static let knotsPerMetrePerSecond = 3600.0 / 1852
}
