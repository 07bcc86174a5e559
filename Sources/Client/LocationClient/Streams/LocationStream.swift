/// A sequence of elements from the daemon, on its own connection.
///
/// ```swift
/// let task = Task {
///     for try await update in client.updates() { print(update) }
/// }
/// task.cancel()  // closes the connection
/// ```
///
/// Nothing happens before the stream is iterated over. It can be iterated over several times, also concurrently: each
/// iteration has its own connection. Cancelling the task that reads the stream ends the sequence, and releasing the
/// iterator closes the connection; neither throws. The stream reads from the socket only what its reader requests, so
/// a slow reader costs no memory.
public struct LocationStream<Element: Sendable>: AsyncSequence, Sendable {
    /// The error that ends the sequence, unless it ends by itself.
    public typealias Failure = LocationError

    private let origin: any StreamOrigin<Element>

    init(_ origin: any StreamOrigin<Element>) {
        self.origin = origin
    }

    /// Returns an iterator with its own connection.
    ///
    /// ```swift
    /// var updates = client.updates().makeAsyncIterator()
    /// let first = try await updates.next()
    /// ```
    public func makeAsyncIterator() -> Iterator { Iterator(origin.begin(waitsForDaemon: false)) }

    /// Subscribes without a task: `onStep` is called on the event loop with each element as it arrives, and finally
    /// with the end.
    ///
    /// No other thread is involved between the socket and `onStep`, which must not block.
    ///
    /// - Parameters:
    ///   - waitsForDaemon: A Boolean value indicating whether to wait for a daemon that is not running yet, in the same
    ///     way as after a disconnection (`disconnected`, later `reconnected`), instead of ending the stream with an
    ///     error.
    ///   - onStep: Not called after the end or after ``CancellationHandle/cancel()``.
    /// - Returns: The handle that ends the stream.
    package func subscribe(
        waitsForDaemon: Bool = false, onStep: @escaping @Sendable (StreamStep<Element>) -> Void
    ) -> CancellationHandle {
        let run = origin.begin(waitsForDaemon: waitsForDaemon)
        run.forEach(onStep)
        return CancellationHandle { run.cancel() }
    }

    /// An iterator that requests one element at a time.
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

        /// Returns the next element, or `nil` after the last one and when the task is cancelled.
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

/// The source of a stream's elements, and their daemon. A closure in its place fails Swift 6.2.3's verification of
/// optimized code.
protocol StreamOrigin<Element>: Sendable {
    associatedtype Element: Sendable

    /// Begins a run of the stream and returns it.
    func begin(waitsForDaemon: Bool) -> any StreamRunning<Element>
}

private struct SourceOrigin<Source: StreamSource>: StreamOrigin {
    let source: @Sendable () -> Source
    let daemon: DaemonSocket

    func begin(waitsForDaemon: Bool) -> any StreamRunning<Source.Element> {
        StreamRun(source(), daemon, waitsForDaemon: waitsForDaemon)
    }
}

/// The owner of a run, which cancels the run on deinit.
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
        LocationStream(SourceOrigin(source: source, daemon: daemon))
    }
}

/// The next step of a stream.
package enum StreamStep<Element: Sendable>: Sendable {
    /// The next element.
    case element(Element)
    /// The end of the stream, with the error unless the stream ended naturally or was cancelled.
    case ended(LocationError?)
}

/// The handle of a stream or call, which continues until it ends by itself or is cancelled, even if the handle is
/// released.
package struct CancellationHandle: Sendable {
    private let body: @Sendable () -> Void

    /// Creates a handle that calls `body` each time it is cancelled.
    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Ends the stream or call. May be called on any thread, any number of times. After a call on the event loop, no
    /// callback follows; after a call elsewhere, a callback that is already running completes.
    package func cancel() { body() }
}
