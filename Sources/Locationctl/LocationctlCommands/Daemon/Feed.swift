/// Values from the daemon, across its restarts.
struct Feed<Value: Sendable>: Sendable {
    /// An event of a feed.
    enum Event: Sendable {
        /// A value. `isFirst` says that it is the first one of a connection.
        case value(Value, isFirst: Bool)
        /// A daemon that has sent values has gone away.
        case lost
    }

    /// Returns whether the daemon is tried again after an error. `wasReached` says that it has sent a value before.
    let isTemporary: @Sendable (_ error: any Error, _ wasReached: Bool) -> Bool
    /// Passes the values of one connection on, to its end.
    let open: @Sendable (_ onValue: (Value) -> Void) async throws -> Void

    /// Passes each event to `body` until the task is cancelled. Throws an error that is not temporary.
    func run(_ body: (Event) -> Void) async throws {
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
    var isUnreachable: Bool { (self as? Failure)?.status == .unreachable }
}
