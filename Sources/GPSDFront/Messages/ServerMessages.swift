internal import JSON

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
}
