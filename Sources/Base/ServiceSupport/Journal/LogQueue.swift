package import Logging
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Writes log entries in order, on its own thread.
///
/// Attack: a user floods the journal, or stops the terminal that receives standard error (Ctrl-S). A thread that writes
/// an entry then waits until there is room. If it is the event loop's thread, all other users wait too.
package final class LogQueue: Sendable {
    /// The maximum number of waiting entries. Further entries are counted and left out.
    package static let maximumCount = 1000
    /// The maximum duration of ``flush()``, in seconds.
    private static let flushSeconds = 2.0

    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let counts = NIOLockedValueBox(Counts())

    private struct Counts {
        /// The number of entries that are not written yet.
        var waiting = 0
        var leftOut = 0
    }

    package init() { thread.start() }

    deinit { thread.shutdownGracefully { _ in } }

    /// Waits until all entries are written, for at most two seconds. To be called before the process ends.
    package func flush() {
        let isWritten = ConditionLock(value: false)
        thread.submit { _ in
            isWritten.lock()
            isWritten.unlock(withValue: true)
        }
        if isWritten.lock(whenValue: true, timeoutSeconds: Self.flushSeconds) { isWritten.unlock() }
    }

    fileprivate func add(_ event: LogEvent, to handler: any LogHandler) {
        let isWithinLimit = counts.withLockedValue { counts in
            guard counts.waiting < Self.maximumCount else {
                counts.leftOut += 1
                return false
            }
            counts.waiting += 1
            return true
        }
        guard isWithinLimit else { return }
        thread.submit { [self] _ in
            write(event, to: handler)
            counts.withLockedValue { $0.waiting -= 1 }
        }
    }

    private func write(_ event: LogEvent, to handler: any LogHandler) {
        handler.log(event: event)
        let count = counts.withLockedValue { counts in
            defer { counts.leftOut = 0 }
            return counts.leftOut
        }
        guard count > 0 else { return }
        var notice = event
        notice.level = .warning
        notice.error = nil
        notice.message = "\(count) entries were left out: the log did not accept them in time"
        notice.metadata = nil
        handler.log(event: notice)
    }
}

/// A log handler that passes on each entry through a ``LogQueue``.
package struct QueuedLogHandler: LogHandler {
    private var base: any LogHandler
    private let queue: LogQueue

    package init(_ base: any LogHandler, _ queue: LogQueue) {
        self.base = base
        self.queue = queue
    }

    package var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) { queue.add(event, to: base) }
}
