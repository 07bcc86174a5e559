/// A receiver's answer to a configuration command (PMTK001, PAIR001).
public struct Acknowledgement: Sendable, Hashable {
    /// What became of the command.
    public enum Outcome: Sendable, Hashable {
        case succeeded, failed, unsupported, invalid, pending
    }

    /// The number of the command that is answered: 314 for `$PMTK314`.
    public internal(set) var command: Int
    /// What became of it.
    public internal(set) var outcome: Outcome
}
