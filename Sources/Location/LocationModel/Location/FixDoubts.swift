/// The reasons to doubt a fix, at least one: the fix may be wrong by more than its accuracy, or come from another
/// device. For users, such a fix is suspect.
public struct FixDoubts: Sendable, Hashable {
    /// A reason to doubt a fix.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// The receiver reports signals that imitate a satellite's.
        case spoofing
        /// The receiver reports interference at its antenna.
        case jamming
        /// The receiver's location has jumped farther than any vehicle moves.
        case jump
        /// The receiver's time differs from the machine's clock, which is synchronized.
        case clock
        /// Two receivers of the machine report different places.
        case disagreement
        /// The reference station of the receiver's corrections has moved farther than an antenna does.
        case corrections

        /// The reason for users, after "suspect: ".
        public var explanation: String {
            switch self {
            case .spoofing: "the receiver reports false signals (spoofing)"
            case .jamming: "the receiver reports interference (jamming)"
            case .jump: "it has jumped farther than any vehicle moves"
            case .clock: "the receiver's time is not that of this machine's synchronized clock"
            case .disagreement: "two receivers report different places"
            case .corrections: "the reference station of its corrections has moved by more than a kilometre"
            }
        }

        fileprivate var bit: UInt8 {
            switch self {
            case .spoofing: 1
            case .jamming: 2
            case .jump: 4
            case .clock: 8
            case .disagreement: 16
            case .corrections: 32
            }
        }
    }

    private var bits: UInt8 = 0

    /// Creates doubts from one reason.
    public init(_ reason: Reason) { bits = reason.bit }

    /// Creates doubts from the reasons, or returns `nil` if there are none.
    public init?(_ reasons: some Sequence<Reason>) {
        for reason in reasons { bits |= reason.bit }
        if bits == 0 { return nil }
    }

    /// The reasons, at least one, in the order of `Reason.allCases`.
    public var reasons: [Reason] { Reason.allCases.filter(contains) }

    /// Returns whether `reason` is among the reasons.
    public func contains(_ reason: Reason) -> Bool { bits & reason.bit != 0 }
}

extension FixDoubts: Codable {
    private enum CodingKeys: CodingKey {
        case suspect
    }

    /// Decodes the reasons. Unknown reasons, such as a newer daemon's, are left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for name in try container.decode([String].self, forKey: .suspect) {
            bits |= Reason(rawValue: name)?.bit ?? 0
        }
    }

    /// Encodes the reasons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reasons, forKey: .suspect)
    }
}
