extension CLMonitor {
    /// What the conditions of a monitor come to, from the first iteration on.
    public struct Events: AsyncSequence, Sendable {
        /// What is iterated over.
        public typealias Element = Event
        /// What the iterators are.
        public typealias AsyncIterator = Iterator

        let core: any MonitorCore

        /// Starts listening, until the iterator is gone.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: core.events())
        }

        /// The events as one consumer gets them.
        public struct Iterator: AsyncIteratorProtocol {
            /// What is iterated over.
            public typealias Element = Event

            let source: any EventSource<Event>

            /// Waits for the next event.
            public mutating func next() async throws -> Event? {
                try await next(isolation: nil)
            }

            /// Waits for the next event, in the isolation of the caller.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Event? {
                try await source.next(isolation: actor)
            }
        }
    }
}

/// An iterator belongs to one consumer.
@available(*, unavailable)
extension CLMonitor.Events.Iterator: Sendable {}
