/// A stream as its one consumer sees it; released, it ends.
protocol EventSource<Event>: AnyObject {
    associatedtype Event: Sendable

    /// The next event, `nil` after the last. Throws `CancellationError` if the calling task is cancelled.
    func next(isolation: isolated (any Actor)?) async throws -> Event?
}
