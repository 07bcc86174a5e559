internal import JSON
internal import LocationModel
internal import Publishing

/// The form of a report in the queue: JSON, encrypted if there is a cipher.
struct ReportCoding: Sendable {
    /// The cipher, or `nil` for contents in the clear.
    var cipher: QueueCipher?

    /// Returns the bytes of the report that has this number.
    func encode(_ report: Report, number: Int64) throws -> [UInt8] {
        var json = JSONWriter()
        try json.value(encoding: report)
        return try cipher?.seal(json.bytes, number: number) ?? json.bytes
    }

    /// Returns the report that has this number, or `nil` if the bytes make no sense.
    func decode(_ bytes: [UInt8], number: Int64) -> Report? {
        var content = bytes
        if let cipher {
            guard let opened = cipher.open(bytes, number: number) else { return nil }
            content = opened
        }
        guard let value = try? JSONValue(parsing: content.span), let report = try? value.decoded(as: Report.self),
            (-90...90).contains(report.location.latitude), (-180...180).contains(report.location.longitude)
        else { return nil }
        return report
    }
}
