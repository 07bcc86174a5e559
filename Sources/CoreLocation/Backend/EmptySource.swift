/// An event source without events.
final class EmptySource<Event: Sendable>: EventSource {
    func next(isolation: isolated (any Actor)?) async throws -> Event? { nil }
}
