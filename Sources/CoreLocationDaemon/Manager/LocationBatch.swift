internal import CoreLocation
internal import NIOConcurrencyHelpers

/// The locations on their way to a delegate whose thread is busy. They are reported in one call.
final class LocationBatch: Sendable {
    /// The maximum number of locations. Beyond it, the oldest are dropped.
    private static let limit = 64

    private let locations = NIOLockedValueBox<[CLLocation]?>([])

    /// Adds `location` unless the batch has been delivered. Returns whether it was added.
    func add(_ location: CLLocation) -> Bool {
        locations.withLockedValue {
            guard let waiting = $0 else { return false }
            $0 = waiting.suffix(Self.limit - 1) + [location]
            return true
        }
    }

    /// Returns the locations, oldest first, and closes the batch.
    func close() -> [CLLocation] {
        locations.withLockedValue { exchange(&$0, with: nil) } ?? []
    }
}
