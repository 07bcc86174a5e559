internal import JSON
internal import LocationModel
internal import Publishing

/// The form of a report in the queue: JSON.
struct ReportCoding: Sendable {
    /// Returns the bytes of a report.
    func encode(_ report: Report) throws -> [UInt8] {
        var json = JSONWriter()
        try json.value(encoding: report)
        return json.bytes
    }

    /// Returns the report, or `nil` if the bytes make no sense.
    func decode(_ bytes: [UInt8]) -> Report? {
        guard let value = try? JSONValue(parsing: bytes.span), let report = try? value.decoded(as: Report.self),
            (-90...90).contains(report.location.latitude), (-180...180).contains(report.location.longitude)
        else { return nil }
        return report
    }
}
