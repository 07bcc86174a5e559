internal import JSON
internal import LocationModel

/// Home Assistant's MQTT discovery of a device tracker (home-assistant.io/integrations/device_tracker.mqtt).
///
/// Home Assistant shows the newest location, which is retained at `TOPIC/state`. The reports themselves are sent to the
/// topic in the same form, for automations and other programs.
package struct HomeAssistantFormat: ReportFormat {
    private let topic: String
    private let device: String

    /// Creates the format. `device` consists of letters, digits, `_` and `-`, as Home Assistant requires.
    package init(topic: String, device: String) {
        self.topic = topic
        self.device = device
    }

    package var availability: Availability? { Availability(topic: topic + "/availability") }

    package var announcements: [Message] {
        var json = JSONWriter()
        json.beginObject()
        json.key("name")
        json.null()
        json.field("unique_id", "locationd_\(device)")
        json.field("source_type", "gps")
        json.field("json_attributes_topic", topic + "/state")
        json.field("availability_topic", topic + "/availability")
        json.key("device")
        json.beginObject()
        json.key("identifiers")
        json.beginArray()
        json.value("locationd_\(device)")
        json.endArray()
        json.field("name", device)
        json.endObject()
        json.key("origin")
        json.beginObject()
        json.field("name", "locationd-publish")
        json.endObject()
        json.endObject()
        return [
            Message(topic: "homeassistant/device_tracker/\(device)/config", payload: json.bytes, isRetained: true)
        ]
    }

    package func message(for entry: QueuedReport) -> Message {
        Message(topic: topic, payload: attributes(entry, crossing: entry.report.crossing))
    }

    package func state(of entry: QueuedReport) -> Message? {
        Message(topic: topic + "/state", payload: attributes(entry, crossing: nil), isRetained: true)
    }

    private func attributes(_ entry: QueuedReport, crossing: Report.Crossing?) -> [UInt8] {
        let location = entry.report.location
        var json = JSONWriter()
        json.beginObject()
        json.field("id", entry.identity.description)
        json.field("event", crossing.map { $0.isEntry ? "enter" : "leave" })
        json.field("region", crossing?.region)
        json.field("timestamp", location.timestamp.description)
        json.field("latitude", location.latitude)
        json.field("longitude", location.longitude)
        json.field("gps_accuracy", location.horizontalAccuracy)
        json.field("altitude", location.altitude)
        json.field("vertical_accuracy", location.verticalAccuracy)
        json.field("course", location.course)
        json.field("speed", location.speed)
        json.endObject()
        return json.bytes
    }
}
