import NIOConcurrencyHelpers

/// The lines that were written in a test, by any thread.
package final class RecordedLines: Sendable {
    private let lines = NIOLockedValueBox<[String]>([])

    /// All lines, in the order of writing.
    package var all: [String] { lines.withLockedValue(\.self) }

    package init() {}

    package func add(_ line: String) {
        lines.withLockedValue { $0.append(line) }
    }
}
