/// A decimal number as it was written: `mantissa / 10^scale`. Not a number (an empty or unreadable field) has a
/// negative scale.
struct FixedPoint {
    var mantissa: Int64
    var scale: Int8

    static var none: FixedPoint { FixedPoint(mantissa: 0, scale: -1) }

    var isNone: Bool { scale < 0 }

    /// The `Double` nearest to the number times `numerator / denominator`, where the products are below 2^53.
    func scaled(by numerator: Int64 = 1, over denominator: Int64 = 1) -> Double? {
        guard scale >= 0 else { return nil }
        let product = mantissa.multipliedReportingOverflow(by: numerator)
        let dividend = product.overflow ? Double(mantissa) * Double(numerator) : Double(product.partialValue)
        return dividend / (Double(Self.powersOfTen(scale)) * Double(denominator))
    }

    /// 10^`exponent`, for 0...18.
    static func powersOfTen(_ exponent: Int8) -> Int64 {
        let table: InlineArray<19, Int64> = [
            1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
            100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
            10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
        ]
        return table[Int(exponent)]
    }
}

/// Up to eight characters of a decimal number, converted at once (SWAR: SIMD within a register).
///
/// The characters stand in a word as they stand in memory on a little-endian machine, the last one in the highest
/// byte, so that what is missing at the front reads as leading zeros.
struct EightDigits {
    /// The number without its point.
    var value: UInt64
    /// How many digits there are, at most eight.
    var digits: Int
    /// How many of them stand behind the point; -1 without a point.
    var decimals: Int

    /// `nil` when one of the last `length` (1...8) characters of `word` is no digit and not the only point.
    @inline(__always)
    init?(_ word: UInt64, length: Int) {
        let shift = UInt64(truncatingIfNeeded: (8 - length) &* 8)
        var x = (word ^ 0x3030_3030_3030_3030) &<< shift
        digits = length
        decimals = -1
        // '.' has become 0x1E. Exact zero-byte test (Hacker's Delight 6-1).
        let t = x ^ 0x1E1E_1E1E_1E1E_1E1E
        let point = ~(((t & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | t | 0x7F7F_7F7F_7F7F_7F7F)
        if point != 0 {
            let below = UInt64(truncatingIfNeeded: point.trailingZeroBitCount & ~7)
            let lower: UInt64 = (1 &<< below) &- 1
            // The digits before the point move up into its place.
            x = (x & ~(lower | (0xFF &<< below))) | ((x & lower) &<< 8)
            decimals = 7 &- Int(truncatingIfNeeded: below &>> 3)
            digits &-= 1
        }
        guard ((x &+ 0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080 == 0 else { return nil }
        x = ((x &* 2561) &>> 8) & 0x00FF_00FF_00FF_00FF
        x = ((x &* 6_553_601) &>> 16) & 0x0000_FFFF_0000_FFFF
        value = (x &* 42_949_672_960_001) &>> 32
    }
}

extension FixedPoint {
    /// The exact sum, or none where one of the terms is none or the sum has too many digits.
    func adding(_ other: FixedPoint) -> FixedPoint {
        guard scale >= 0, other.scale >= 0 else { return .none }
        let scale = max(scale, other.scale)
        let a = mantissa.multipliedReportingOverflow(by: Self.powersOfTen(scale - self.scale))
        let b = other.mantissa.multipliedReportingOverflow(by: Self.powersOfTen(scale - other.scale))
        let sum = a.partialValue.addingReportingOverflow(b.partialValue)
        guard !a.overflow, !b.overflow, !sum.overflow else { return .none }
        return FixedPoint(mantissa: sum.partialValue, scale: scale)
    }
}
