/// A call with one answer, not sent yet.
package struct UnsentCall<Value: Sendable>: Sendable {
    private let begin: @Sendable (PendingRequest<Value>) -> Void

    init(_ begin: @escaping @Sendable (PendingRequest<Value>) -> Void) {
        self.begin = begin
    }

    /// Sends the call, for callers without tasks.
    ///
    /// - Parameter onAnswer: Called once on the event loop, which it must not block; with ``LocationError/cancelled``
    ///   if the call was cancelled first.
    /// - Returns: The handle that cancels the call.
    @discardableResult
    package func send(onAnswer: @escaping @Sendable (Result<Value, LocationError>) -> Void) -> CancellationHandle {
        let run = PendingRequest(onAnswer)
        begin(run)
        return CancellationHandle { run.cancel() }
    }

    /// Sends the call and returns the answer. Cancelling the task ends the wait with ``LocationError/cancelled``; if
    /// the task has already been cancelled, nothing is sent.
    func value() async throws(LocationError) -> Value {
        let run = PendingRequest<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                run.answer { continuation.resume(returning: $0) }
                // A change must not take effect if its caller gets `cancelled`.
                if !run.isCancelled { begin(run) }
            }
        } onCancel: {
            run.cancel()
        }
        return try result.get()
    }
}
