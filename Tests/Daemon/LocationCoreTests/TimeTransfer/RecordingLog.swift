import Logging
import TestSupport

/// A log whose messages the test reads.
struct RecordingLog: LogHandler {
    let lines: RecordedLines
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    init(_ lines: RecordedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.level): \(event.message)") }
}
