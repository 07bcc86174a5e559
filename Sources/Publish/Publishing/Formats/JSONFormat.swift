internal import JSON
internal import LocationModel

/// Plain JSON: the fields of `Location` in the interface io.locationd.Location, with the name of the machine, the
/// identity of the report and, for a crossing, the region.
///
/// Reports are sent to the topic itself, the newest location is retained at `TOPIC/state`.
package struct JSONFormat: ReportFormat {
    private let topic: String
    private let device: String

    /// Creates the format.
    package init(topic: String, device: String) {
        self.topic = topic
        self.device = device
    }

    package var availability: Availability? { Availability(topic: topic + "/availability") }
    package var announcements: [Message] { [] }

    package func message(for entry: QueuedReport) -> Message {
        Message(topic: topic, payload: payload(entry, crossing: entry.report.crossing))
    }

    package func state(of entry: QueuedReport) -> Message? {
        Message(topic: topic + "/state", payload: payload(entry, crossing: nil), isRetained: true)
    }

    private func payload(_ entry: QueuedReport, crossing: Report.Crossing?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("unit", device)
        json.field("queue", entry.identity.queue)
        json.field("number", entry.identity.number)
        json.field("event", crossing.map { $0.isEntry ? "enter" : "leave" })
        json.field("region", crossing?.region)
        json.fields(of: entry.report.location)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes the fields of a location under their names in the interface io.locationd.Location.
    fileprivate mutating func fields(of location: Location) {
        field("timestamp", location.timestamp.description)
        field("latitude", location.latitude)
        field("longitude", location.longitude)
        field("horizontalAccuracy", location.horizontalAccuracy)
        field("altitude", location.altitude)
        field("ellipsoidalAltitude", location.ellipsoidalAltitude)
        field("verticalAccuracy", location.verticalAccuracy)
        field("modelledAltitude", location.modelledAltitude?.rawValue)
        field("course", location.course)
        field("courseAccuracy", location.courseAccuracy)
        field("speed", location.speed)
        field("speedAccuracy", location.speedAccuracy)
        field("quality", location.quality?.rawValue)
        field("correctionAge", location.correctionAge)
        field("satellitesUsed", location.satellitesUsed.map { Int64($0) })
        field("horizontalDilution", location.horizontalDilution)
        field("simulated", location.simulated)
        field("receiver", location.receiver)
    }
}
