internal import NIOConcurrencyHelpers

/// A call in progress. It is answered once: by the daemon, or by its cancellation.
final class PendingRequest<Value: Sendable>: Sendable {
    private struct State {
        var onAnswer: (@Sendable (Result<Value, LocationError>) -> Void)?
        /// Closes the call's connection.
        var onCancel: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state: NIOLockedValueBox<State>

    init(_ onAnswer: (@Sendable (Result<Value, LocationError>) -> Void)? = nil) {
        state = NIOLockedValueBox(State(onAnswer: onAnswer))
    }

    /// A Boolean value indicating whether the call was cancelled.
    var isCancelled: Bool { state.withLockedValue(\.isCancelled) }

    /// Sets the callback for the answer, and calls it immediately if the call was cancelled.
    func answer(_ onAnswer: @escaping @Sendable (Result<Value, LocationError>) -> Void) {
        let isCancelled = state.withLockedValue {
            if !$0.isCancelled { $0.onAnswer = onAnswer }
            return $0.isCancelled
        }
        if isCancelled { onAnswer(.failure(.cancelled)) }
    }

    /// Sets the cleanup for a cancellation, and runs it immediately if the call was cancelled.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLockedValue {
            if !$0.isCancelled { $0.onCancel = body }
            return $0.isCancelled
        }
        if isCancelled { body() }
    }

    func finish(_ result: Result<Value, LocationError>) {
        let onAnswer = state.withLockedValue {
            let onAnswer = $0.onAnswer
            $0.onAnswer = nil
            $0.onCancel = nil
            return onAnswer
        }
        onAnswer?(result)
    }

    func cancel() {
        let (onAnswer, onCancel) = state.withLockedValue {
            let owed = ($0.onAnswer, $0.onCancel)
            $0 = State(isCancelled: true)
            return owed
        }
        onCancel?()
        onAnswer?(.failure(.cancelled))
    }
}
