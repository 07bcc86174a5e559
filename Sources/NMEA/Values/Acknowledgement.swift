/// A receiver's answer to a configuration command (PMTK001, PAIR001).
public struct Acknowledgement: Sendable, Hashable {
    /// The outcome of a command.
    public enum Outcome: Sendable, Hashable {
        case succeeded, failed, unsupported, invalid, pending
    }

    /// The number of the command that was answered: 314 for `$PMTK314`.
    public internal(set) var command: Int
    /// The outcome of the command.
    public internal(set) var outcome: Outcome
}
