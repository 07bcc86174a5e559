internal import JSON
internal import LocationModel

/// Overland's batches (github.com/aaronpk/Overland-iOS, "API"): a GeoJSON feature for each report, up to 100 of them in
/// a request.
///
/// Overland has no crossings: they are marked by the properties `event` and `region`, which other programs ignore.
package struct OverlandFormat: ReportFormat {
    private let device: String

    /// Creates the format. `device` is the `device_id` of each feature.
    package init(device: String) {
        self.device = device
    }

    package var availability: Availability? { nil }
    package var announcements: [Message] { [] }
    package var maximumBatch: Int { 100 }

    package func state(of entry: QueuedReport) -> Message? { nil }

    package func message(for entry: QueuedReport) -> Message { message(for: [entry]) }

    package func message(for entries: [QueuedReport]) -> Message {
        var json = JSONWriter(capacity: 400 * entries.count)
        json.beginObject()
        json.key("locations")
        json.beginArray()
        for entry in entries { write(entry, to: &json) }
        json.endArray()
        json.endObject()
        return Message(topic: "", payload: json.bytes)
    }

    private func write(_ entry: QueuedReport, to json: inout JSONWriter) {
        let location = entry.report.location
        json.beginObject()
        json.field("type", "Feature")
        json.field("id", entry.identity.description)
        json.key("geometry")
        json.beginObject()
        json.field("type", "Point")
        json.key("coordinates")
        json.beginArray()
        json.value(location.longitude)
        json.value(location.latitude)
        json.endArray()
        json.endObject()
        json.key("properties")
        json.beginObject()
        json.field("timestamp", location.timestamp.description)
        json.field("horizontal_accuracy", location.horizontalAccuracy)
        json.field("altitude", location.altitude)
        json.field("vertical_accuracy", location.verticalAccuracy)
        json.field("speed", location.speed)
        json.field("speed_accuracy", location.speedAccuracy)
        json.field("course", location.course)
        json.field("course_accuracy", location.courseAccuracy)
        json.field("device_id", device)
        json.field("event", entry.report.crossing.map { $0.isEntry ? "enter" : "leave" })
        json.field("region", entry.report.crossing?.region)
        json.endObject()
        json.endObject()
    }
}
