/// The judgement of a receiver about signals that imitate a satellite's.
public enum Spoofing: Sendable, Equatable, CaseIterable {
    /// The receiver has looked for signs of spoofing and found none.
    case none
    /// The receiver has found a sign of spoofing.
    case indicated
    /// The receiver has found several signs of spoofing, or is certain.
    case affirmed

    /// Creates a judgement from u-blox's number of the state, or returns `nil` if the receiver does not look for
    /// spoofing or does not know yet.
    init?(state: UInt8) {
        switch state {
        case 1: self = .none
        case 2: self = .indicated
        case 3: self = .affirmed
        default: return nil
        }
    }
}
