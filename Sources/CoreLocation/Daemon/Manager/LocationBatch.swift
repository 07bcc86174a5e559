internal import NIOConcurrencyHelpers

/// Locations on their way to a delegate whose thread is busy: they are told in one call.
final class LocationBatch: Sendable {
    /// How many are kept, at most; the oldest ones go.
    private static let limit = 64

    private let locations = NIOLockedValueBox<[CLLocation]?>([])

    /// Returns whether it was added, because the batch has not been taken yet.
    func add(_ location: CLLocation) -> Bool {
        locations.withLockedValue {
            guard let waiting = $0 else { return false }
            $0 = waiting.suffix(Self.limit - 1) + [location]
            return true
        }
    }

    /// What has come together, oldest first; nothing is added after it.
    func take() -> [CLLocation] {
        locations.withLockedValue { exchange(&$0, with: nil) } ?? []
    }
}
