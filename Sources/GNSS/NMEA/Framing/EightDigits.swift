/// Up to eight characters of a decimal number, converted at once (SWAR: SIMD within a register).
struct EightDigits {
    /// The number without its decimal point.
    var value: UInt64
    /// The number of digits, at most eight.
    var digits: Int
    /// The number of digits after the point, or -1 without a point.
    var decimals: Int

    /// Reads the first `length` (1...8) characters of `word`, the first of them in its lowest byte.
    ///
    /// Returns `nil` if a character is neither a digit nor the only point.
    @inline(__always)
    init?(_ word: UInt64, length: Int) {
        // Missing characters at the front read as leading zeros.
        let shift = UInt64(truncatingIfNeeded: (8 &- length) &* 8)
        var x = (word ^ 0x3030_3030_3030_3030) &<< shift
        digits = length
        decimals = -1
        // '.' has become 0x1E. Exact zero-byte test (Warren, "Hacker's Delight", 6-1).
        let t = x ^ 0x1E1E_1E1E_1E1E_1E1E
        let point = ~(((t & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | t | 0x7F7F_7F7F_7F7F_7F7F)
        if point != 0 {
            let below = UInt64(truncatingIfNeeded: point.trailingZeroBitCount & ~7)
            let lower: UInt64 = (1 &<< below) &- 1
            // The digits before the point move up to close the gap.
            x = (x & ~(lower | (0xFF &<< below))) | ((x & lower) &<< 8)
            decimals = 7 &- Int(truncatingIfNeeded: below &>> 3)
            digits &-= 1
        }
        guard Self.areDigits(x) else { return nil }
        value = Self.number(x)
    }

    /// Returns the number if all characters are digits, otherwise `nil`.
    @inline(__always)
    static func integer(_ word: UInt64, length: Int) -> Int? {
        let x = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)
        return areDigits(x) ? Int(truncatingIfNeeded: number(x)) : nil
    }

    @inline(__always)
    private static func areDigits(_ x: UInt64) -> Bool {
        ((x &+ 0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080 == 0
    }

    /// Combines pairs, then fours, then eight (Lemire, "Quickly parsing eight digits", 2018).
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt64 {
        let pairs = ((digits &* 2561) &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = ((pairs &* 6_553_601) &>> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 42_949_672_960_001) &>> 32
    }
}
