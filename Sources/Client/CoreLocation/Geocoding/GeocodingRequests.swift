import Foundation

/// The pending request of a geocoder: at most one, as on iOS. May be used from any thread.
final class GeocodingRequests: @unchecked Sendable {
    typealias Outcome = Result<[CLPlacemark.Values], CLError>

    private struct Request {
        let number: Int
        /// The queue for `complete`, or `nil` for any thread.
        let queue: DispatchQueue?
        let complete: @Sendable (Outcome) -> Void
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let lock = NSLock()
    /// Protected by `lock`.
    private var pending: Request?
    /// Protected by `lock`.
    private var count = 0

    var isPending: Bool { lock.withLock { pending != nil } }

    /// Begins a request to the app's source or, if it has none, to the machine's. While another request is pending, the
    /// new one fails with `CLError.geocodeCanceled`.
    ///
    /// - Parameters:
    ///   - queue: The queue for `complete`, or `nil` for any thread.
    ///   - complete: A closure called once, when the request is no longer pending.
    func begin(_ query: GeocodingQuery, on queue: DispatchQueue?, complete: @escaping @Sendable (Outcome) -> Void) {
        let source = AppGeocodingSource.shared.current ?? Backend.current.geocodingSource
        let isFirst = lock.withLock {
            guard pending == nil else { return false }
            count += 1
            pending = Request(number: count, queue: queue, complete: complete)
            pending?.task = Task { [self, count] in end(count, await source.outcome(of: query)) }
            return true
        }
        if !isFirst { queue.run { complete(.failure(CLError(.geocodeCanceled))) } }
    }

    /// Cancels the pending request, which ends even if its source goes on.
    func cancel() {
        let cancelled = lock.withLock {
            pending?.isCancelled = true
            return pending
        }
        guard let cancelled else { return }
        cancelled.task?.cancel()
        end(cancelled.number, .failure(CLError(.geocodeCanceled)))
    }

    /// Ends a request, unless it has ended already. It stays pending until its queue runs.
    private func end(_ number: Int, _ outcome: Outcome) {
        guard let request = lock.withLock({ pending }), request.number == number else { return }
        request.queue.run { [self] in
            let ended = lock.withLock { pending?.number == number ? pending.take() : nil }
            guard let ended else { return }
            ended.complete(ended.isCancelled ? .failure(CLError(.geocodeCanceled)) : outcome)
        }
    }
}

extension GeocodingSource {
    fileprivate func outcome(of query: GeocodingQuery) async -> GeocodingRequests.Outcome {
        do {
            let places = try await places(for: query)
            return places.isEmpty ? .failure(CLError(.geocodeFoundNoResult)) : .success(places)
        } catch {
            return .failure(error as? CLError ?? CLError(error is CancellationError ? .geocodeCanceled : .network))
        }
    }
}

extension DispatchQueue? {
    /// Runs `body` later on the queue, or now if there is none.
    fileprivate func run(_ body: @escaping @Sendable () -> Void) {
        if let self { self.async(execute: body) } else { body() }
    }
}

/// The continuation of an `async` request. May be used from any thread.
///
/// A subclass of the app may call its completion handler more than once, and resuming a continuation twice ends the
/// program. Only the first call counts.
final class GeocodeContinuation: @unchecked Sendable {
    private let lock = NSLock()
    /// Protected by `lock`.
    private var waiting: CheckedContinuation<[CLPlacemark], any Error>?

    init(_ continuation: CheckedContinuation<[CLPlacemark], any Error>) {
        waiting = continuation
    }

    /// Handles a call of the completion handler.
    func resume(_ placemarks: [CLPlacemark]?, _ error: (any Error)?) {
        guard let continuation = lock.withLock({ waiting.take() }) else { return }
        if let error { return continuation.resume(throwing: error) }
        // Safe, because the geocoder passes them on and keeps none.
        nonisolated(unsafe) let found = placemarks ?? []
        continuation.resume(returning: found)
    }
}
