internal import Logging
internal import NIOCore
internal import Publishing

/// Deletes acknowledged reports from the queue: one write at a time, with all reports acknowledged in the meantime.
/// Confined to the event loop.
final class QueueRemoval {
    private let thread: QueueThread
    private let log: Logger
    private var numbers: [Int64] = []
    private var isWriting = false
    /// The last failure, so that each is logged once.
    private var failure: String?

    init(_ thread: QueueThread, log: Logger) {
        self.thread = thread
        self.log = log
    }

    /// Deletes a report soon.
    func delete(_ number: Int64) {
        numbers.append(number)
        if !isWriting { flush() }
    }

    /// Deletes the remaining reports before any work submitted after this call.
    func flush() {
        guard !numbers.isEmpty else { return }
        isWriting = true
        let batch = numbers
        numbers = []
        thread.run { try $0.delete(batch) }.assumeIsolated().whenComplete { [weak self] result in
            self?.deleted(result, batch)
        }
    }

    private func deleted(_ result: Result<Void, any Error>, _ batch: [Int64]) {
        isWriting = false
        switch result {
        case .success:
            failure = nil
            flush()
        case .failure(let error):
            // Retried with the next one. If the publisher ends before that, the reports are sent twice.
            numbers = batch + numbers
            if failure != "\(error)" { log.error("acknowledged reports could not be deleted: \(error)") }
            failure = "\(error)"
        }
    }
}
