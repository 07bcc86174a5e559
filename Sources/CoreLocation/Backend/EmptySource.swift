/// An event source without events.
package final class EmptySource<Event: Sendable>: EventSource {
    package init() {}

    package func next(isolation: isolated (any Actor)?) async throws -> Event? { nil }
}
