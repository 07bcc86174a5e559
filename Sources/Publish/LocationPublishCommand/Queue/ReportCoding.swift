internal import JSON
internal import LocationModel
internal import Publishing
internal import StateFiles

/// The encoding of a report in the queue: JSON, encrypted if there is a cipher.
struct ReportCoding: Sendable {
    /// The cipher, or `nil` for contents in the clear.
    var cipher: StateCipher?

    /// Returns the encoding of the report with this number.
    func encode(_ report: Report, number: Int64) throws -> [UInt8] {
        var json = JSONWriter()
        try json.value(encoding: report)
        return try cipher?.seal(json.bytes, number: number) ?? json.bytes
    }

    /// Returns the report with this number, or `nil` if the bytes are invalid.
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

/// The encryption of the queue's contents.
///
/// Attack: a thief gets the disk, or a copy of the queue, and reads where the machine was. The secret is not on the
/// disk in the clear if the service manager gets it from a TPM or another machine. Times, sizes and the number of
/// reports are not hidden.
extension StateCipher {
    /// The least length of a queue's secret, in bytes.
    static let minimumSecretLength = 32

    /// Derives the keys of a queue. Different queues with the same secret have different keys.
    init(secret: [UInt8], queue: String) throws(Failure) {
        try self.init(secret: secret, of: queue, purpose: "locationd-publish queue")
    }
}
