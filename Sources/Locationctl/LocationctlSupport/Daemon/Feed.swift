/// Values from the daemon, across its restarts.
package struct Feed<Value: Sendable>: Sendable {
    /// An event of a feed.
    package enum Event: Sendable {
        /// A value. `isFirst` is `true` for the first value of a connection.
        case value(Value, isFirst: Bool)
        /// A daemon that has sent values is gone.
        case lost
    }

    /// Returns whether to try the daemon again after an error. `wasReached` is `true` if it has sent a value before.
    let isTemporary: @Sendable (_ error: any Error, _ wasReached: Bool) -> Bool
    /// Forwards the values of one connection until it ends.
    let open: @Sendable (_ onValue: (Value) -> Void) async throws -> Void

    package init(
        isTemporary: @escaping @Sendable (_ error: any Error, _ wasReached: Bool) -> Bool,
        open: @escaping @Sendable (_ onValue: (Value) -> Void) async throws -> Void
    ) {
        (self.isTemporary, self.open) = (isTemporary, open)
    }

    /// Passes each event to `body` until the task is cancelled. Throws an error that is not temporary.
    package func run(_ body: (Event) -> Void) async throws {
        var wasReached = false
        while true {
            var isConnected = false
            do {
                try await open { value in
                    body(.value(value, isFirst: !isConnected))
                    (isConnected, wasReached) = (true, true)
                }
            } catch {
                guard isTemporary(error, wasReached) else { throw error }
            }
            if isConnected { body(.lost) }
            try await Task.sleep(for: .seconds(1))
        }
    }
}

extension Error {
    /// A Boolean value indicating whether the error is that the daemon cannot be reached.
    package var isUnreachable: Bool { (self as? Failure)?.status == .unreachable }
}
