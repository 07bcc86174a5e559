/// What goes on until it ends by itself or is cancelled, whether anybody keeps this or not.
package struct LocationSubscription: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Ends it; from any thread, any number of times. Called on the event loop, nothing is told after it; called
    /// elsewhere, what is being told at this moment still is.
    package func cancel() { body() }
}
