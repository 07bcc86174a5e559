// Numbers as programs print them: with any number of digits, and with an exponent. Receivers send neither.

extension Field {
    /// Returns a decimal number without a sign. The first 17 significant digits count: they distinguish any two numbers
    /// of a program. Returns `none` if the field is not a number, or if it has more than 17 digits before the point.
    @inline(never)
    func unusual(_ bytes: RawSpan) -> FixedPoint {
        var digits = Digits()
        var offset = start
        let end = start &+ length
        while offset < end, digits.read(bytes.byte(at: offset)) { offset &+= 1 }
        if offset < end {
            guard bytes.byte(at: offset) | 0x20 == UInt8(ascii: "e"),
                let exponent = Self.exponent(bytes, from: offset &+ 1, to: end)
            else { return .none }
            digits.exponent &+= exponent
        }
        return digits.number
    }

    /// Returns an unsigned whole number below 100,000,000 with leading zeros, decimals of zero or an exponent, or `nil`
    /// if the field is not such a number.
    @inline(never)
    func unusualInteger(_ bytes: RawSpan) -> Int? {
        let number = unsigned(bytes)
        guard !number.isNone else { return nil }
        let (whole, rest) = number.mantissa.quotientAndRemainder(dividingBy: FixedPoint.powerOfTen(number.scale))
        return rest == 0 && (0..<100_000_000).contains(whole) ? Int(truncatingIfNeeded: whole) : nil
    }

    /// Returns the exponent in the bytes from `start` to `end`, or `nil` if they are not an exponent.
    private static func exponent(_ bytes: RawSpan, from start: Int, to end: Int) -> Int? {
        var start = start
        let isNegative = start < end && bytes.byte(at: start) == UInt8(ascii: "-")
        if isNegative || (start < end && bytes.byte(at: start) == UInt8(ascii: "+")) { start &+= 1 }
        guard start < end else { return nil }
        var exponent = 0
        for offset in start..<end {
            let digit = bytes.byte(at: offset) &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            // The limit exceeds any number that fits: more digits make no difference.
            exponent = min(exponent &* 10 &+ Int(digit), 10_000)
        }
        return isNegative ? 0 &- exponent : exponent
    }

    /// The digits of a number that is read character by character.
    private struct Digits {
        private static let maximumDigits = 17

        private var mantissa: Int64 = 0
        /// The number of digits of the mantissa, without leading zeros.
        private var count = 0
        private var isEmpty = true
        private var hasPoint = false
        /// The power of ten to multiply the mantissa by.
        var exponent = 0

        /// Reads a character. Returns whether it is a digit or the only point.
        mutating func read(_ character: UInt8) -> Bool {
            if character == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                return true
            }
            let digit = character &- UInt8(ascii: "0")
            guard digit < 10 else { return false }
            isEmpty = false
            if count < Self.maximumDigits {
                mantissa = mantissa &* 10 &+ Int64(digit)
                if mantissa > 0 { count &+= 1 }
                if hasPoint { exponent &-= 1 }
            } else if !hasPoint {
                exponent &+= 1
            }
            return true
        }

        /// The number, or `none` if there were no digits or the number is too large.
        var number: FixedPoint {
            guard !isEmpty else { return .none }
            guard mantissa > 0 else { return FixedPoint(mantissa: 0, scale: 0) }
            var (mantissa, exponent) = (mantissa, exponent)
            guard count &+ exponent <= Self.maximumDigits else { return .none }
            while exponent > 0 {
                mantissa &*= 10
                exponent &-= 1
            }
            // Rounded to the last decimal that fits.
            let least = 0 &- FixedPoint.maximumScale
            while exponent < least &- 1 {
                mantissa /= 10
                exponent &+= 1
            }
            if exponent < least {
                mantissa = (mantissa &+ 5) / 10
                exponent = least
            }
            return FixedPoint(mantissa: mantissa, scale: 0 &- exponent)
        }
    }
}
