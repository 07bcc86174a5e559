import Foundation

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
