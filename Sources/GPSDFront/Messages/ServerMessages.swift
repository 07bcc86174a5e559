internal import JSON
internal import LocationModel

/// Messages about the server, a request or a policy.
extension JSONWriter {
    /// Writes VERSION, as gpsd 3.22 does: cgps 3.27.5 and later refuse another major version of the protocol.
    mutating func version() {
        message("VERSION") { writer in
            writer.field("release", "3.22")
            writer.field("rev", "3.22")
            writer.integer("proto_major", 3)
            writer.integer("proto_minor", 14)
        }
    }

    /// Writes ERROR.
    mutating func error(_ text: String) {
        message("ERROR") { $0.field("message", text) }
    }

    /// Writes WATCH, the policy in effect.
    mutating func watch(_ policy: WatchPolicy) {
        message("WATCH") { writer in
            writer.field("enable", policy.isEnabled)
            writer.field("json", policy.json)
            writer.field("nmea", policy.nmea)
            writer.integer("raw", policy.raw)
            writer.field("scaled", policy.scaled)
            writer.field("timing", policy.timing)
            writer.field("split24", policy.split24)
            writer.field("pps", policy.pps)
            writer.field("device", policy.device)
        }
    }

    /// Writes POLL: the last reports, each of which is JSON already.
    mutating func poll(at time: Timestamp, active: Int, _ last: LastReports?) {
        message("POLL") { writer in
            writer.time("time", time)
            writer.integer("active", active)
            writer.reports("tpv", last?.position)
            writer.reports("gst", last?.errors)
            writer.reports("sky", last?.sky)
        }
    }

    private mutating func reports(_ key: StaticString, _ report: [UInt8]?) {
        self.key(key)
        beginArray()
        if let report { value(encoded: report) }
        endArray()
    }
}

/// The reports that POLL repeats: each is one JSON object.
struct LastReports: Equatable {
    /// TPV.
    var position: [UInt8]
    /// GST, if the receiver estimates its errors.
    var errors: [UInt8]?
    /// SKY. Never absent: gpsd-py3 reads the last one.
    var sky: [UInt8]
}
