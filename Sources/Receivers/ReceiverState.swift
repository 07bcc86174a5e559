/// How far a receiver has come.
public enum ReceiverState: Sendable, Equatable {
    /// Not started: everything is closed.
    case stopped
    /// Being opened or connected to, for the first time since it was started.
    case connecting
    /// Open; it has not given a fix yet.
    case waitingForFix
    /// Giving fixes.
    case running
    /// Not available. It is retried, unless the reason is `ended`.
    case lost(ReceiverFailure)
}
