/// Up to eight characters of a decimal number, converted at once (SWAR: SIMD within a register).
struct EightDigits {
    /// The number without its point.
    var value: UInt64
    /// How many digits there are, at most eight.
    var digits: Int
    /// How many of them stand behind the point; -1 without a point.
    var decimals: Int

    /// Reads the first `length` (1...8) characters of `word`, the first of them in its lowest byte.
    ///
    /// `nil` when one of them is no digit and not the only point.
    @inline(__always)
    init?(_ word: UInt64, length: Int) {
        // What is missing at the front reads as leading zeros.
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
            // The digits before the point move up into its place.
            x = (x & ~(lower | (0xFF &<< below))) | ((x & lower) &<< 8)
            decimals = 7 &- Int(truncatingIfNeeded: below &>> 3)
            digits &-= 1
        }
        guard Self.areDigits(x) else { return nil }
        value = Self.number(x)
    }

    /// The same for digits alone.
    @inline(__always)
    static func integer(_ word: UInt64, length: Int) -> Int? {
        let x = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)
        return areDigits(x) ? Int(truncatingIfNeeded: number(x)) : nil
    }

    @inline(__always)
    private static func areDigits(_ x: UInt64) -> Bool {
        ((x &+ 0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080 == 0
    }

    /// Pairs, then fours, then eight (Lemire, "Quickly parsing eight digits", 2018).
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt64 {
        let pairs = ((digits &* 2561) &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = ((pairs &* 6_553_601) &>> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 42_949_672_960_001) &>> 32
    }
}
