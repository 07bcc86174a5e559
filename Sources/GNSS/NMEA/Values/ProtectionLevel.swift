/// The limits of a position's error that a receiver guarantees, except for a small stated risk.
public struct ProtectionLevel: Sendable, Equatable {
    /// The limit of the horizontal error, in metres.
    public let horizontal: Double
    /// The limit of the vertical error, in metres.
    public let vertical: Double
    /// The probability, for each epoch, that an error exceeds its limit unnoticed, 0...1, or `nil` if it is not known.
    public let risk: Double?

    /// The greatest limit that is plausible, in metres. Greater numbers mean "unknown".
    static let maximum = 1_000_000.0

    /// Creates a level, or returns `nil` if a limit is not plausible. An implausible risk is not known.
    init?(horizontal: Double, vertical: Double, risk: Double?) {
        guard horizontal > 0, horizontal <= Self.maximum, vertical > 0, vertical <= Self.maximum else { return nil }
        self.horizontal = horizontal
        self.vertical = vertical
        self.risk = risk.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    }
}
