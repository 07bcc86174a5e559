extension CLLocationUpdate {
    /// An asynchronous sequence of updates that starts with the first iteration. Every iterator has updates of its
    /// own.
    public struct Updates: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = CLLocationUpdate
        /// The type of the iterators.
        public typealias AsyncIterator = Iterator

        let configuration: LiveConfiguration
        let backend: any LocationBackend

        /// Creates an iterator. Its updates start with the first call of `next` and end when the iterator is
        /// released.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: backend.liveUpdates(configuration))
        }

        /// An iterator over updates.
        public struct Iterator: AsyncIteratorProtocol {
            let source: any EventSource<CLLocationUpdate>

            /// Waits for the next update and returns it, in the isolation of the caller.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(any Error) -> CLLocationUpdate? {
                try await source.next(isolation: actor)
            }
        }
    }
}

/// Not `Sendable`: an iterator belongs to one consumer.
@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
