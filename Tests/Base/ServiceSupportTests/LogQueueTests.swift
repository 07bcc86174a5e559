import Logging
import NIOConcurrencyHelpers
import Testing

@testable import ServiceSupport

/// Log entries that a thread of their own writes.
@Suite(.timeLimit(.minutes(5))) struct LogQueueTests {
    /// A log that accepts entries only while its gate is open.
    private struct GatedLog: LogHandler {
        let gate: NIOLock
        let lines: NIOLockedValueBox<[String]>
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            gate.withLock { lines.withLockedValue { $0.append("\(event.level) \(event.message)") } }
        }
    }

    private let queue = LogQueue()
    private let gate = NIOLock()
    private let lines = NIOLockedValueBox<[String]>([])
    private var log: Logger {
        Logger(label: "test") { [gate, lines, queue] _ in
            QueuedLogHandler(GatedLog(gate: gate, lines: lines), queue)
        }
    }

    @Test func entriesKeepTheirOrder() {
        let log = log
        for number in 0..<100 { log.notice("\(number)") }
        queue.flush()
        #expect(lines.withLockedValue(\.self) == (0..<100).map { "notice \($0)" })
    }

    /// Attack: a user floods the journal, which then accepts nothing.
    @Test func aLogThatAcceptsNothingHoldsUpNobody() {
        let log = log
        gate.lock()
        for number in 0..<5000 { log.notice("\(number)") }
        gate.unlock()
        queue.flush()
        let written = lines.withLockedValue(\.self)
        #expect(written.count == LogQueue.maximumCount + 1)
        #expect(written.first == "notice 0")
        #expect(written.contains("warning 4000 entries were left out: the log did not accept them in time"))
    }
}
