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

    /// Returns the length of a vector with two components above 0: the limit of both together.
    ///
    /// Newton's method, which begins less than 42 % too high: five steps leave no error. The square root of Swift's
    /// library may need the mathematics library.
    static func length(_ a: Double, _ b: Double) -> Double {
        let square = a * a + b * b
        var root = a + b
        for _ in 0..<6 { root = (root + square / root) / 2 }
        return root
    }
}
