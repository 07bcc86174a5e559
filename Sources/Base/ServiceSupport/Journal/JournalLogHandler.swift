internal import CSystemd
internal import Glibc
package import Logging

/// A log handler that sends entries to the journal, with their metadata as fields.
package struct JournalLogHandler: LogHandler {
    private let identifier: String
    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()

    /// - Parameter identifier: The name of the program, for `journalctl -t`.
    package init(identifier: String) {
        self.identifier = identifier
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let merged = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        send(
            JournalFields(
                identifier: identifier, level: event.level,
                message: event.error.map { "\(event.message): \($0)" } ?? "\(event.message)", metadata: merged))
    }

    private func send(_ fields: JournalFields) {
        // One buffer for all fields, because the parts point into it.
        let bytes = fields.assignments.flatMap(\.self)
        bytes.withUnsafeBytes { buffer in
            var start = UnsafeMutableRawPointer(mutating: buffer.baseAddress!)
            let parts = fields.assignments.map { assignment in
                defer { start += assignment.count }
                return iovec(iov_base: start, iov_len: assignment.count)
            }
            sd_journal_sendv(parts, CInt(parts.count))
        }
    }

    /// Returns whether standard error is the journal, according to the device and inode in JOURNAL_STREAM:
    /// systemd.exec(5).
    ///
    /// The variable alone does not prove it: a program that is started in a terminal of a session inherits the
    /// variable.
    package static func isStandardErrorTheJournal(_ stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
