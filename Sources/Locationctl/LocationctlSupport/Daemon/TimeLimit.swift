/// Returns the result of `body`. If it takes too long, cancels it and throws `failure`: a daemon that hangs accepts
/// connections and sends nothing.
package func within<Answer: Sendable>(
    _ limit: Duration, orThrow failure: Failure, _ body: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw failure
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
