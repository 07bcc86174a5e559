/// A decimal number as it was written: `mantissa / 10^scale`. None (an empty or unreadable field) has a negative
/// scale.
struct FixedPoint {
    var mantissa: Int64
    var scale: Int8

    static var none: FixedPoint { FixedPoint(mantissa: 0, scale: -1) }

    var isNone: Bool { scale < 0 }

    /// The `Double` nearest to the number times `numerator / denominator`, where the products are below 2^53.
    @inline(__always)
    func scaled(by numerator: Int64 = 1, over denominator: Int64 = 1) -> Double? {
        guard scale >= 0 else { return nil }
        // Sixteen digits times a few thousand may not fit.
        let dividend =
            numerator == 1 ? Double(mantissa) : abs(mantissa) < 1 &<< 40 ? Double(mantissa &* numerator)
            : Double(mantissa) * Double(numerator)
        return dividend / Double(Self.powerOfTen(Int(scale)) &* denominator)
    }

    /// The exact sum, or none where one of the terms is none or the sum has too many digits.
    func adding(_ other: FixedPoint) -> FixedPoint {
        guard scale >= 0, other.scale >= 0 else { return .none }
        let scale = max(scale, other.scale)
        let a = mantissa.multipliedReportingOverflow(by: Self.powerOfTen(Int(scale &- self.scale)))
        let b = other.mantissa.multipliedReportingOverflow(by: Self.powerOfTen(Int(scale &- other.scale)))
        let sum = a.partialValue.addingReportingOverflow(b.partialValue)
        guard !a.overflow, !b.overflow, !sum.overflow else { return .none }
        return FixedPoint(mantissa: sum.partialValue, scale: scale)
    }

    /// 10^`exponent`, for 0...15: as many decimals as sixteen characters with a point have.
    @inline(__always)
    static func powerOfTen(_ exponent: Int) -> Int64 {
        // Four multiplications that the compiler turns into selections; a table would be copied for each look.
        var power: Int64 = exponent & 1 != 0 ? 10 : 1
        power &*= exponent & 2 != 0 ? 100 : 1
        power &*= exponent & 4 != 0 ? 10_000 : 1
        power &*= exponent & 8 != 0 ? 100_000_000 : 1
        return power
    }
}
