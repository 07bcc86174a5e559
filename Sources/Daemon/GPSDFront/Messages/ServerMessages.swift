internal import CGPS
internal import JSON

/// Messages about the server, a request or a policy.
extension JSONWriter {
    /// Writes VERSION, as the version of gpsd that this program's libgps belongs to. A system's clients compare both
    /// versions with their own: cgps prints a warning and waits if they differ, xgps prints one.
    mutating func version() {
        message("VERSION") { writer in
            let release = String(cString: cgps_release())
            writer.field("release", release)
            writer.field("rev", release)
            writer.integer("proto_major", Int(cgps_protocol_major()))
            writer.integer("proto_minor", Int(cgps_protocol_minor()))
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
