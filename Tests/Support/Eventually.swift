/// Waits until a condition holds. Throws ``Overdue`` if it does not hold within `seconds`.
///
/// A change of a file or of another process raises no event, so the condition is evaluated every few milliseconds.
/// The default is far longer than any wait on a busy machine: it limits failing tests, and never a passing one.
package func eventually(
    _ what: @autoclosure () -> String, seconds: Double = 120, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw Overdue(what: what()) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// The error for something that did not happen in time, or was not there.
package struct Overdue: Error, CustomStringConvertible {
    package let what: String
    package var description: String { "timed out waiting for \(what)" }

    package init(what: String) { self.what = what }
}
