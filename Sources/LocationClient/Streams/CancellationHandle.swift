/// The handle of a stream or call, which continues until it ends by itself or is cancelled, even if the handle is
/// released.
package struct CancellationHandle: Sendable {
    private let body: @Sendable () -> Void

    /// Creates a handle that calls `body` each time it is cancelled.
    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Ends the stream or call. May be called on any thread, any number of times. After a call on the event loop, no
    /// callback follows; after a call elsewhere, a callback that is already running completes.
    package func cancel() { body() }
}
