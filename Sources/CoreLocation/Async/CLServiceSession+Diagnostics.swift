extension CLServiceSession {
    /// What the session lacks: now, and at every change.
    public final class Diagnostics: AsyncSequence {
        /// What is iterated over.
        public typealias Element = Diagnostic
        /// What the iterators are.
        public typealias AsyncIterator = Iterator

        private let source: any EventSource<Diagnostic>

        init(source: any EventSource<Diagnostic>) {
            self.source = source
        }

        /// All iterators share the same events.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: source)
        }

        /// The diagnostics as a consumer gets them.
        public struct Iterator: AsyncIteratorProtocol {
            /// What is iterated over.
            public typealias Element = Diagnostic

            let source: any EventSource<Diagnostic>

            /// Waits for the next change.
            public mutating func next() async throws -> Diagnostic? {
                try await next(isolation: nil)
            }

            /// Waits for the next change, in the isolation of the caller.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Diagnostic? {
                try await source.next(isolation: actor)
            }
        }
    }
}

/// They belong to one consumer.
@available(*, unavailable)
extension CLServiceSession.Diagnostics: @unchecked Sendable {}
