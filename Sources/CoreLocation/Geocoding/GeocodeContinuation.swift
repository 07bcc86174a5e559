internal import NIOConcurrencyHelpers

/// The continuation of an `async` request. May be used from any thread.
///
/// A subclass of the app may call its completion handler more than once, and resuming a continuation twice ends the
/// program. Only the first call counts.
final class GeocodeContinuation: Sendable {
    private let waiting: NIOLockedValueBox<CheckedContinuation<[CLPlacemark], any Error>?>

    init(_ continuation: CheckedContinuation<[CLPlacemark], any Error>) {
        waiting = NIOLockedValueBox(continuation)
    }

    /// Handles a call of the completion handler.
    func resume(_ placemarks: [CLPlacemark]?, _ error: (any Error)?) {
        guard let continuation = waiting.withLockedValue({ exchange(&$0, with: nil) }) else { return }
        if let error { return continuation.resume(throwing: error) }
        // Safe, because the geocoder passes them on and keeps none.
        nonisolated(unsafe) let found = placemarks ?? []
        continuation.resume(returning: found)
    }
}
