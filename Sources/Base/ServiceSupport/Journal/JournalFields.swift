internal import Logging

/// The fields of a log entry in the journal: systemd.journal-fields(7).
///
/// Metadata becomes a separate field, found by `journalctl RECEIVER=…`, if the journal accepts the key from a program:
/// capital letters, digits and underscores, beginning with a letter. Other metadata becomes part of the text, as in
/// other logs.
struct JournalFields {
    /// The fields as `KEY=value`. They are bytes, because a value may have several lines.
    let assignments: [[UInt8]]

    init(identifier: String, level: Logger.Level, message: String, metadata: Logger.Metadata) {
        var text = message
        var fields = [("PRIORITY", "\(level.syslogPriority)"), ("SYSLOG_IDENTIFIER", identifier)]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            if Self.isFieldName(key) {
                fields.append((key, "\(value)"))
            } else {
                text += " \(key)=\(value)"
            }
        }
        fields.append(("MESSAGE", text))
        assignments = fields.map { Array("\($0)=\($1)".utf8) }
    }

    /// Returns whether `key` is a valid name for sd_journal_sendv(3) and does not clash with the entry's own fields.
    private static func isFieldName(_ key: String) -> Bool {
        let allowed = key.utf8.allSatisfy {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "_")
        }
        guard allowed, 1...64 ~= key.utf8.count, let first = key.utf8.first else { return false }
        return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first
            && !["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER"].contains(key)
    }
}

extension Logger.Level {
    /// The priority, as in syslog(3).
    fileprivate var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
