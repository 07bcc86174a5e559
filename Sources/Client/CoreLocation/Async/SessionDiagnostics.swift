/// An asynchronous sequence of diagnostics: the current one, then one for every change.
///
/// Not for apps, which use it as ``CLServiceSession/Diagnostics`` and ``CLBackgroundActivitySession/Diagnostics``.
public final class __CLSessionDiagnostics<Diagnostic: Sendable>: AsyncSequence {
    /// The type of the elements.
    public typealias Element = Diagnostic
    /// The type of the iterators.
    public typealias AsyncIterator = Iterator

    private let source: any EventSource<Diagnostic>

    init(source: any EventSource<Diagnostic>) {
        self.source = source
    }

    /// Creates an iterator. All iterators share the same events.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// An iterator over diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
        let source: any EventSource<Diagnostic>

        /// Waits for the next diagnostic and returns it, in the isolation of the caller.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Diagnostic? {
            try await source.next(isolation: actor)
        }
    }
}

/// Not `Sendable`: the diagnostics belong to one consumer.
@available(*, unavailable)
extension __CLSessionDiagnostics: @unchecked Sendable {}

extension CLServiceSession {
    /// An asynchronous sequence of diagnostics: the current one, then one for every change.
    public typealias Diagnostics = __CLSessionDiagnostics<Diagnostic>
}

extension CLBackgroundActivitySession {
    /// An asynchronous sequence of diagnostics: the current one, then one for every change.
    public typealias Diagnostics = __CLSessionDiagnostics<Diagnostic>
}
