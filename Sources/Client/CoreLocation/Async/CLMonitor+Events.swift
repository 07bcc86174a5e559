extension CLMonitor {
    /// An asynchronous sequence of a monitor's events that starts with the first iteration.
    public struct Events: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Event
        /// The type of the iterators.
        public typealias AsyncIterator = Iterator

        let core: any MonitorCore

        /// Creates an iterator, which receives events until it is released.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: core.events())
        }

        /// An iterator over events.
        public struct Iterator: AsyncIteratorProtocol {
            let source: any EventSource<Event>

            /// Waits for the next event and returns it, in the isolation of the caller.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Event? {
                try await source.next(isolation: actor)
            }
        }
    }
}

/// Not `Sendable`: an iterator belongs to one consumer.
@available(*, unavailable)
extension CLMonitor.Events.Iterator: Sendable {}
