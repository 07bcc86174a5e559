/// A stream of events for one consumer. The stream ends when the source is released.
package protocol EventSource<Event>: AnyObject {
    associatedtype Event: Sendable

    /// Returns the next event, or `nil` after the last one. Throws `CancellationError` if the calling task is
    /// cancelled.
    func next(isolation: isolated (any Actor)?) async throws -> Event?
}

/// An event source without events.
package final class EmptySource<Event: Sendable>: EventSource {
    package init() {}

    package func next(isolation: isolated (any Actor)?) async throws -> Event? { nil }
}
