package import Logging

/// A log whose messages the test reads.
package struct RecordingLog: LogHandler {
    private let lines: RecordedLines
    package var logLevel = Logger.Level.trace
    package var metadata = Logger.Metadata()

    package init(_ lines: RecordedLines) { self.lines = lines }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { lines.add("\(event.level): \(event.message)") }
}
