/// The state of a receiver.
public enum ReceiverState: Sendable, Equatable {
    /// The receiver is not started: everything is closed.
    case stopped
    /// The receiver is being opened or connected to, for the first time since `start()`.
    case connecting
    /// The receiver is open but has not produced a fix yet.
    case waitingForFix
    /// The receiver produces fixes.
    case running
    /// The receiver is not available. It is retried unless the reason is `ended`. With the reason `silent`, it stays in
    /// this state during retries, until valid data arrives.
    case lost(ReceiverFailure)
}
