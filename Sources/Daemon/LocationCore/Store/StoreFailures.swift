internal import NIOConcurrencyHelpers

/// The number of changes that could not be written to the database, or erased from its files. For any thread.
package final class StoreFailures: Sendable {
    private let value = NIOLockedValueBox(0)

    /// The number of failures so far.
    package var count: Int { value.withLockedValue(\.self) }

    /// Counts a failure.
    func add() { value.withLockedValue { $0 += 1 } }
}
