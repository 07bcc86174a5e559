import Logging
import NIOConcurrencyHelpers
import Testing

@testable import ServiceSupport

/// The replacement of control characters in foreign text that reaches the log.
@Suite struct CleanLogHandlerTests {
    private struct Failure: Error, CustomStringConvertible {
        var description: String { "no\u{7}t there" }
    }

    private struct Recorder: LogHandler {
        let lines: NIOLockedValueBox<[String]>
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            lines.withLockedValue { $0.append("\(event.message) \(fields.map { "\($0.key)=\($0.value)" })") }
        }
    }

    @Test func messageErrorAndFieldsAreOneLine() {
        let lines = NIOLockedValueBox<[String]>([])
        var log = Logger(label: "test") { _ in CleanLogHandler(Recorder(lines: lines)) }
        log[metadataKey: "A"] = "\u{1B}a"
        log.notice(
            "x\u{1B}[2Jy\nz", error: Failure(), metadata: ["B": ["c": "\u{9B}d"], "E": .stringConvertible(Failure())])
        #expect(
            lines.withLockedValue(\.self) == [
                "x\u{FFFD}[2Jy\u{FFFD}z: no\u{FFFD}t there "
                    + "\(["A=\u{FFFD}a", "B=[\"c\": \"\u{FFFD}d\"]", "E=no\u{FFFD}t there"])"
            ])
    }
}
