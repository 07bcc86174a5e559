/// Waits until a condition holds. Throws ``Overdue`` if it does not hold within `seconds`.
///
/// A change of a file or of another process raises no event, so the condition is evaluated every few milliseconds, and
/// less often the longer it takes: other tests run meanwhile. The default limit is far longer than any wait on a busy
/// machine: it limits failing tests, and never a passing one.
///
/// - Parameter interval: The longest time between two evaluations. A condition that also does something, such as
///   sending the next fixes, may need a short one.
package func eventually(
    _ what: @autoclosure () -> String, seconds: Double = 120, interval: Duration = .milliseconds(50),
    _ condition: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while try await !condition() {
        let elapsed = ContinuousClock.now - start
        guard elapsed < .seconds(seconds) else { throw Overdue(what: what()) }
        try await Task.sleep(for: min(max(elapsed / 8, .milliseconds(5)), interval))
    }
}

/// The error for something that did not happen in time, or was not there.
package struct Overdue: Error, CustomStringConvertible {
    package let what: String
    package var description: String { "timed out waiting for \(what)" }

    package init(what: String) { self.what = what }
}
