/// The rules for a stream from a daemon that may go away and come back.
struct Reconnection {
    /// The delay between attempts to reach the daemon.
    let delay: Duration
    /// Returns whether an error, once the daemon has been reached, means that it has only gone away.
    let isTemporary: (any Error) -> Bool

    /// Opens the stream again and again until the task is cancelled. Throws the error if the daemon cannot be reached
    /// at first, or if the error is not temporary.
    ///
    /// - Parameters:
    ///   - open: A closure that runs the stream to its end, and calls its parameter with each reply. That returns
    ///     whether the reply is the first of this connection.
    ///   - onLost: A closure that is called when a daemon that replied has gone away.
    func run(
        _ open: (_ onReply: () -> Bool) async throws -> Void, onLost: () -> Void
    ) async throws {
        var wasConnected = false
        while true {
            var isConnected = false
            do {
                try await open {
                    defer { (isConnected, wasConnected) = (true, true) }
                    return !isConnected
                }
            } catch {
                guard wasConnected, isTemporary(error) else { throw error }
            }
            if isConnected { onLost() }
            try await Task.sleep(for: delay)
        }
    }
}
