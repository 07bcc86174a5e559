/// What the daemon tells one after the other, on a connection of its own.
///
/// ```swift
/// let task = Task {
///     for try await update in client.updates() { print(update) }
/// }
/// task.cancel()  // closes the connection
/// ```
///
/// Nothing happens before it is iterated over. It can be iterated over several times, also at once: each time is a stream
/// with a connection of its own. Cancelling the task that reads it ends the sequence, and letting the iterator go closes
/// the connection; neither throws. It reads from the socket only what its reader asks for, so that a slow reader costs no
/// memory.
public struct LocationStream<Element: Sendable>: AsyncSequence, Sendable {
    /// What ends the sequence when it does not end by itself.
    public typealias Failure = LocationError

    private let begin: @Sendable (_ waitsForDaemon: Bool) -> any StreamRunning<Element>

    init(_ begin: @escaping @Sendable (_ waitsForDaemon: Bool) -> any StreamRunning<Element>) {
        self.begin = begin
    }

    /// A pass of its own through the stream.
    ///
    /// ```swift
    /// var updates = client.updates().makeAsyncIterator()
    /// let first = try await updates.next()
    /// ```
    public func makeAsyncIterator() -> Iterator { Iterator(begin(false)) }

    /// The same without tasks: `onStep` is called on the event loop with each element as it comes, at last with the end.
    ///
    /// There is no other thread between the socket and `onStep`, which must not block.
    ///
    /// - Parameters:
    ///   - waitsForDaemon: Whether a daemon that is not there yet is waited for like one that went away (`disconnected`,
    ///     later `reconnected`), rather than an error that ends the stream.
    ///   - onStep: Not called any more after the end, nor after ``LocationSubscription/cancel()``.
    package func subscribe(
        waitsForDaemon: Bool = false, onStep: @escaping @Sendable (StreamStep<Element>) -> Void
    ) -> LocationSubscription {
        let run = begin(waitsForDaemon)
        run.forEach(onStep)
        return LocationSubscription { run.cancel() }
    }

    /// Takes one element after the other.
    ///
    /// ```swift
    /// var visits = client.visits().makeAsyncIterator()
    /// while let visit = try await visits.next() { print(visit) }
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private let run: IteratorRun<Element>

        fileprivate init(_ run: any StreamRunning<Element>) {
            self.run = IteratorRun(run)
        }

        /// The next element; `nil` after the last one, and when the task is cancelled.
        ///
        /// ```swift
        /// let update = try await updates.next()
        /// ```
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LocationError) -> Element? {
            switch await run.next() {
            case .element(let element): return element
            case .ended(let error?): throw error
            case .ended(nil): return nil
            }
        }
    }
}

/// Cancels a run when its iterator is gone.
private final class IteratorRun<Element: Sendable>: Sendable {
    private let run: any StreamRunning<Element>

    init(_ run: any StreamRunning<Element>) {
        self.run = run
    }

    deinit {
        run.cancel()
    }

    nonisolated(nonsending) func next() async -> StreamStep<Element> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                run.next { continuation.resume(returning: $0) }
            }
        } onCancel: {
            run.cancel()
        }
    }
}

extension LocationClient {
    func stream<Source: StreamSource>(
        _ source: @escaping @Sendable () -> Source
    ) -> LocationStream<Source.Element> {
        LocationStream { [daemon] in StreamRun(source(), daemon, waitsForDaemon: $0) }
    }
}
