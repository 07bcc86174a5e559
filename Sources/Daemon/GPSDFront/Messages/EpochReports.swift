internal import JSON
internal import LocationModel
internal import NMEA

/// The reports on one epoch.
struct EpochReports {
    var position: PositionMessage
    /// The receiver's own estimate of its errors.
    var errors: PositionErrors?
    var sky = SkyMessage()
}

extension JSONWriter {
    /// Writes TPV, GST and SKY, as far as they are known, in gpsd's order, each on its own line.
    mutating func lines(_ reports: EpochReports) {
        position(reports.position)
        endLine()
        if reports.hasErrors {
            errors(reports)
            endLine()
        }
        if reports.sky.isKnown {
            sky(reports.sky, device: reports.position.device)
            endLine()
        }
    }

    /// Writes POLL. It contains a SKY even if nothing is known of it, because gpsd-py3 reads the last one.
    mutating func poll(at time: Timestamp, active: Int, _ last: EpochReports?) {
        message("POLL") { writer in
            writer.time("time", time)
            writer.integer("active", active)
            writer.reports("tpv") { if let last { $0.position(last.position) } }
            writer.reports("gst") { if let last, last.hasErrors { $0.errors(last) } }
            writer.reports("sky") { if let last { $0.sky(last.sky, device: last.position.device) } }
        }
    }

    private mutating func reports(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        beginArray()
        body(&self)
        endArray()
    }

    private mutating func errors(_ reports: EpochReports) {
        guard let errors = reports.errors, let location = reports.position.location else { return }
        self.errors(errors, at: location.timestamp, device: reports.position.device)
    }
}

extension EpochReports {
    fileprivate var hasErrors: Bool { errors != nil && position.location != nil }
}
