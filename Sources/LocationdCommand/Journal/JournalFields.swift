internal import Logging

/// What a line of the log is in the journal: systemd.journal-fields(7).
///
/// Metadata whose key is a name that the journal takes from a program (capitals, digits, underscores; not one in front)
/// is a field of its own, so that `journalctl RECEIVER=…` finds it. Any other is part of the text, as it is elsewhere.
struct JournalFields {
    /// `KEY=value`, in bytes: a value may have several lines.
    let assignments: [[UInt8]]

    init(level: Logger.Level, message: String, metadata: Logger.Metadata) {
        var text = message
        var fields = [("PRIORITY", "\(level.syslogPriority)"), ("SYSLOG_IDENTIFIER", "locationd")]
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

    /// As sd_journal_sendv(3) has it; and not one of those that say what the line is itself.
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
    /// The level of syslog(3).
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
