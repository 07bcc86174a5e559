internal import JSON
internal import LocationModel

/// OwnTracks' JSON: `_type: location`, and `_type: transition` for crossings (owntracks.org/booklet/tech/json).
///
/// Locations are retained at the topic itself, as OwnTracks' own apps do, and crossings are sent to `TOPIC/event`. The
/// newest location is not sent below `owntracks/`: the Recorder would add it to the track, out of turn and twice.
package struct OwnTracksFormat: ReportFormat {
    private let topic: String
    private let device: String

    /// Creates the format. `topic` is `owntracks/USER/DEVICE` for programs that expect this form.
    package init(topic: String, device: String) {
        self.topic = topic
        self.device = device
    }

    package var availability: Availability? { Availability(topic: "locationd/\(device)/availability") }
    package var announcements: [Message] { [] }

    package func message(for entry: QueuedReport) -> Message {
        guard let crossing = entry.report.crossing else {
            return Message(topic: topic, payload: location(entry), isRetained: true)
        }
        return Message(topic: topic + "/event", payload: transition(crossing, entry))
    }

    package func state(of entry: QueuedReport) -> Message? {
        Message(topic: "locationd/\(device)/state", payload: location(entry), isRetained: true)
    }

    private func location(_ entry: QueuedReport) -> [UInt8] {
        let location = entry.report.location
        var json = JSONWriter()
        json.beginObject()
        json.field("_type", "location")
        writePlace(of: entry, to: &json)
        json.field("alt", location.altitude.flatMap(Self.whole))
        json.field("vac", location.verticalAccuracy.flatMap(Self.wholeAccuracy))
        json.field("vel", location.speed.flatMap { Self.whole($0 * 3.6) })
        json.field("cog", location.course.flatMap(Self.whole))
        json.endObject()
        return json.bytes
    }

    private func transition(_ crossing: Report.Crossing, _ entry: QueuedReport) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("_type", "transition")
        writePlace(of: entry, to: &json)
        json.field("event", crossing.isEntry ? "enter" : "leave")
        json.field("desc", crossing.region)
        json.field("t", "c")
        json.endObject()
        return json.bytes
    }

    private func writePlace(of entry: QueuedReport, to json: inout JSONWriter) {
        let location = entry.report.location
        json.field("_id", entry.identity.description)
        json.field("tid", String(device.suffix(2)))
        json.field("tst", location.timestamp.secondsSince1970)
        json.field("lat", location.latitude)
        json.field("lon", location.longitude)
        json.field("acc", location.horizontalAccuracy.flatMap(Self.wholeAccuracy))
    }

    /// Returns an accuracy in whole metres: rounded up, and at least 1. Home Assistant drops a location with an
    /// accuracy of 0 as unknown.
    private static func wholeAccuracy(_ value: Double) -> Int64? { Int64(exactly: max(1, value.rounded(.up))) }

    /// Returns the nearest integer, as OwnTracks' apps expect, or `nil` if there is none.
    private static func whole(_ value: Double) -> Int64? { Int64(exactly: value.rounded()) }
}

extension Timestamp {
    /// The whole seconds since 1970, rounded down.
    var secondsSince1970: Int64 {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }
}
