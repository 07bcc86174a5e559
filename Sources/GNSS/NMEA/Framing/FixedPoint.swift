/// A decimal number as it was written: `mantissa / 10^scale`, or `none` for an empty or unreadable field.
struct FixedPoint: Sendable, Equatable {
    /// The mantissa, above five bits of scale.
    private var bits: Int64

    /// The maximum number of decimals.
    static let maximumScale = 18

    /// Creates a number from a mantissa of up to 17 digits and a scale of 0...18 decimals.
    @inline(__always)
    init(mantissa: Int64, scale: Int) {
        bits = mantissa &<< 5 | Int64(truncatingIfNeeded: scale)
    }

    private init(bits: Int64) {
        self.bits = bits
    }

    static var none: FixedPoint { FixedPoint(bits: .min) }

    @inline(__always)
    var isNone: Bool { bits == .min }
    @inline(__always)
    var mantissa: Int64 { bits &>> 5 }
    @inline(__always)
    var scale: Int { Int(truncatingIfNeeded: bits & 31) }
    @inline(__always)
    var negated: FixedPoint { isNone ? self : FixedPoint(mantissa: 0 &- mantissa, scale: scale) }

    /// Returns the `Double` nearest to the number times `numerator / denominator`, if the products are below 2^53 or
    /// the fraction is 1.
    @inline(__always)
    func scaled(by numerator: Int64 = 1, over denominator: Int64 = 1) -> Double? {
        guard !isNone else { return nil }
        if abs(mantissa) >= 1 &<< 53, numerator == 1, denominator == 1 { return longNumber }
        // The product of sixteen digits and a few thousand may not fit.
        let dividend =
            numerator == 1
            ? Double(mantissa)
            : abs(mantissa) < 1 &<< 40
                ? Double(mantissa &* numerator)
                : Double(mantissa) * Double(numerator)
        return dividend / (Double(Self.powerOfTen(scale)) * Double(denominator))
    }

    /// The `Double` nearest to a number whose mantissa has more bits than a `Double`: the quotient, corrected by its
    /// remainder.
    @inline(never)
    private var longNumber: Double {
        let dividend = Double(mantissa)
        let divisor = Double(Self.powerOfTen(scale))
        let quotient = dividend / divisor
        // The exact error of the product (T. Dekker, "A floating-point technique for extending the available
        // precision", 1971). A fused multiplication might need the mathematics library.
        let product = quotient * divisor
        let (a, b) = (Self.halves(quotient), Self.halves(divisor))
        let error = ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low
        let rest = (dividend - product) - error + Double(mantissa &- Int64(dividend))
        return quotient + rest / divisor
    }

    /// Returns two numbers with half the digits each and the sum `number`.
    private static func halves(_ number: Double) -> (high: Double, low: Double) {
        let scaled = 134_217_729 * number
        let high = scaled - (scaled - number)
        return (high, number - high)
    }

    /// Returns the number with at most `limit` decimals.
    @inline(__always)
    func rounded(toScale limit: Int) -> FixedPoint {
        isNone || scale <= limit ? self : shortened(to: limit)
    }

    @inline(never)
    private func shortened(to limit: Int) -> FixedPoint {
        let unit = Self.powerOfTen(scale &- limit)
        return FixedPoint(mantissa: (mantissa &+ (mantissa < 0 ? 0 &- unit : unit) / 2) / unit, scale: limit)
    }

    /// Returns the exact sum, or `none` if either term is `none` or the sum has too many digits.
    func adding(_ other: FixedPoint) -> FixedPoint {
        guard !isNone, !other.isNone else { return .none }
        let scale = max(scale, other.scale)
        let a = mantissa.multipliedReportingOverflow(by: Self.powerOfTen(scale &- self.scale))
        let b = other.mantissa.multipliedReportingOverflow(by: Self.powerOfTen(scale &- other.scale))
        let sum = a.partialValue.addingReportingOverflow(b.partialValue)
        guard !a.overflow, !b.overflow, !sum.overflow, abs(sum.partialValue) < 1 &<< 57 else { return .none }
        return FixedPoint(mantissa: sum.partialValue, scale: scale)
    }

    /// Returns 10^`exponent`, for 0...18.
    @inline(__always)
    static func powerOfTen(_ exponent: Int) -> Int64 {
        // Five multiplications by selected factors. A table would be copied at each access.
        var power: Int64 = exponent & 1 != 0 ? 10 : 1
        power &*= exponent & 2 != 0 ? 100 : 1
        power &*= exponent & 4 != 0 ? 10_000 : 1
        power &*= exponent & 8 != 0 ? 100_000_000 : 1
        power &*= exponent & 16 != 0 ? 10_000_000_000_000_000 : 1
        return power
    }
}
