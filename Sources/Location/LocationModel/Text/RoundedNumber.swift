/// The parts of a number that is rounded to some decimals. Halves are rounded away from zero.
package struct RoundedNumber {
    /// A Boolean value indicating whether the rounded number is below zero.
    package let isNegative: Bool
    /// The number before the point.
    package let whole: UInt64
    /// The point and the decimals. Empty if there are no decimals.
    package let fraction: String

    /// Rounds a number. Returns `nil` if it is not finite or has more than `maximumDigits` digits.
    ///
    /// - Parameters:
    ///   - decimals: The number of decimals, 0...9.
    ///   - maximumDigits: The maximum number of digits before and after the point together, 1...18.
    package init?(_ value: Double, decimals: Int, maximumDigits: Int) {
        let scale = Self.power(decimals)
        let scaled = (value.magnitude * Double(scale)).rounded()
        guard scaled < Double(Self.power(maximumDigits)) else { return nil }
        let units = UInt64(scaled)
        isNegative = value < 0 && units > 0
        whole = units / scale
        fraction = decimals > 0 ? ".\(Int(units % scale).padded(to: decimals))" : ""
    }

    private static func power(_ exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
