/// One call that has one answer, and has not been made yet.
package struct LocationRequest<Value: Sendable>: Sendable {
    private let begin: @Sendable (RequestRun<Value>) -> Void

    init(_ begin: @escaping @Sendable (RequestRun<Value>) -> Void) {
        self.begin = begin
    }

    /// Makes the call without tasks.
    ///
    /// - Parameter onAnswer: Called once on the event loop, which it must not block; with ``LocationError/cancelled``
    ///   where it was cancelled first.
    @discardableResult
    package func send(onAnswer: @escaping @Sendable (Result<Value, LocationError>) -> Void) -> LocationSubscription {
        let run = RequestRun(onAnswer)
        begin(run)
        return LocationSubscription { run.cancel() }
    }

    /// Makes the call; cancelling the task gives it up.
    func value() async throws(LocationError) -> Value {
        let run = RequestRun<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                run.answer { continuation.resume(returning: $0) }
                begin(run)
            }
        } onCancel: {
            run.cancel()
        }
        return try result.get()
    }
}
