import Foundation

/// The pending requests of a geocoder. May be used from any thread.
final class GeocodeRequests: @unchecked Sendable {
    private let lock = NSLock()
    /// The pending requests by number, each with a Boolean value indicating whether it was cancelled.
    private var cancelled: [Int: Bool] = [:]
    private var last = 0

    var isPending: Bool { lock.withLock { !cancelled.isEmpty } }

    /// Begins a request, and returns its number.
    func begin() -> Int {
        lock.withLock {
            last += 1
            cancelled[last] = false
            return last
        }
    }

    func cancel() {
        lock.withLock { cancelled = cancelled.mapValues { _ in true } }
    }

    /// Ends a request, and returns its failure.
    func end(_ number: Int) -> CLError {
        let wasCancelled = lock.withLock { cancelled.removeValue(forKey: number) ?? false }
        return CLError(wasCancelled ? .geocodeCanceled : .network)
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
