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
