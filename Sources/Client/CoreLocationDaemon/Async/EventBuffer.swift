internal import NIOConcurrencyHelpers

/// The events on their way to one consumer. If it falls behind, the oldest events are dropped.
final class EventBuffer<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var waiting: CheckedContinuation<Event?, any Error>?
        var isFinished = false
    }

    private let limit: Int
    private let state = NIOLockedValueBox(State())

    /// Creates an empty buffer.
    ///
    /// - Parameter limit: The maximum number of events to keep.
    init(limit: Int = 64) {
        self.limit = limit
    }

    /// Adds an event. May be called from any thread.
    func append(_ event: Event) {
        let waiting: CheckedContinuation<Event?, any Error>? = state.withLockedValue {
            guard !$0.isFinished else { return nil }
            if let waiting = $0.waiting {
                $0.waiting = nil
                return waiting
            }
            $0.events = $0.events.suffix(limit - 1) + [event]
            return nil
        }
        waiting?.resume(returning: event)
    }

    /// Ends the events. Buffered events are still delivered.
    func finish() {
        let waiting = state.withLockedValue {
            $0.isFinished = true
            return exchange(&$0.waiting, with: nil)
        }
        waiting?.resume(returning: nil)
    }

    /// Returns the next event, or `nil` after the last one. Throws `CancellationError` if the calling task is
    /// cancelled.
    func next(isolation: isolated (any Actor)?) async throws -> Event? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Event?, any Error>? = state.withLockedValue {
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !$0.events.isEmpty { return .success($0.events.removeFirst()) }
                    if $0.isFinished { return .success(nil) }
                    precondition($0.waiting == nil, "a stream has one consumer at a time")
                    $0.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLockedValue { exchange(&$0.waiting, with: nil) }
            waiting?.resume(throwing: CancellationError())
        }
    }
}
