extension CLLocationUpdate {
    /// Locations from the first iteration on; every iterator gets its own.
    public struct Updates: AsyncSequence, Sendable {
        /// What is iterated over.
        public typealias Element = CLLocationUpdate
        /// What the iterators are.
        public typealias AsyncIterator = Iterator

        let configuration: LiveConfiguration
        let backend: any LocationBackend

        /// Starts the updates, until the iterator is gone.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: backend.liveUpdates(configuration))
        }

        /// The updates as one consumer gets them.
        public struct Iterator: AsyncIteratorProtocol {
            /// What is iterated over.
            public typealias Element = CLLocationUpdate

            let source: any EventSource<CLLocationUpdate>

            /// Waits for the next update.
            public mutating func next() async throws -> CLLocationUpdate? {
                try await next(isolation: nil)
            }

            /// Waits for the next update, in the isolation of the caller.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(any Error) -> CLLocationUpdate? {
                try await source.next(isolation: actor)
            }
        }
    }
}

/// An iterator belongs to one consumer.
@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
