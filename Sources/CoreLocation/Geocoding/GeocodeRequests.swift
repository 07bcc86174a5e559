import Foundation

/// The requests of a geocoder that wait for their answers; to be used from any thread.
final class GeocodeRequests: @unchecked Sendable {
    private let lock = NSLock()
    /// A Boolean value indicating whether it was cancelled, for each request.
    private var cancelled: [Int: Bool] = [:]
    private var last = 0

    var isPending: Bool { lock.withLock { !cancelled.isEmpty } }

    /// The number of a new request.
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

    /// Returns whether the request was cancelled before this.
    func end(_ number: Int) -> Bool {
        lock.withLock { cancelled.removeValue(forKey: number) ?? false }
    }
}
