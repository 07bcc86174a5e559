/// The text of a number with few decimals, like most numbers that receivers measure. It equals the text of
/// `description`, for a fraction of the work.
enum DecimalText {
    /// The length of the longest text, in bytes.
    static let maximumLength = 24

    /// Writes the text of a number. Returns its length in bytes, or `nil` if the number has too many decimals or
    /// digits.
    ///
    /// - Parameter memory: Room for ``maximumLength`` bytes.
    static func write(_ value: Double, to memory: UnsafeMutablePointer<UInt8>) -> Int? {
        let magnitude = value.magnitude
        // The description of a number below 0.001 may have an exponent.
        guard magnitude >= 0.001 || (value == 0 && value.sign == .plus), magnitude < 1e14 else { return nil }
        let whole = UInt64(truncatingIfNeeded: Int64(magnitude))
        var (fraction, decimals): (UInt64, Int)
        if let tenths = multiple(magnitude, 1e1) {
            (fraction, decimals) = (tenths &- whole &* 10, 1)
        } else if let thousandths = multiple(magnitude, 1e3) {
            (fraction, decimals) = (thousandths &- whole &* 1_000, 3)
        } else if let millionths = multiple(magnitude, 1e6) {
            (fraction, decimals) = (millionths &- whole &* 1_000_000, 6)
        } else if let billionths = multiple(magnitude, 1e9) {
            (fraction, decimals) = (billionths &- whole &* 1_000_000_000, 9)
        } else {
            return nil
        }
        while decimals > 1, fraction % 10 == 0 {
            fraction /= 10
            decimals &-= 1
        }
        var start = memory
        if value < 0 {
            start.pointee = UInt8(ascii: "-")
            start += 1
        }
        let point = start + write(whole, to: start)
        point.pointee = UInt8(ascii: ".")
        let end = point + 1 + decimals
        write(fraction, before: end, after: point)
        return end - memory
    }

    /// Writes the text of a whole number. Returns its length in bytes.
    ///
    /// - Parameter memory: Room for ``maximumLength`` bytes.
    @inline(__always)
    static func write(_ value: UInt64, to memory: UnsafeMutablePointer<UInt8>) -> Int {
        var length = 1
        var power: UInt64 = 10
        while value >= power, length < 20 {
            length &+= 1
            power = power &* 10
        }
        write(value, before: memory + length, after: memory - 1)
        return length
    }

    /// Returns the whole number of up to 15 digits that gives `magnitude` when divided by `scale`, if there is one.
    /// Different decimal numbers of up to 15 digits are different `Double`s, so the shortest form of `magnitude` is
    /// this number.
    @inline(__always)
    private static func multiple(_ magnitude: Double, _ scale: Double) -> UInt64? {
        let scaled = magnitude * scale
        guard scaled < 1e15 else { return nil }
        // Between 2^52 and 2^53, each `Double` is a whole number, and its lowest 52 bits are the excess over 2^52.
        let rounded = scaled + 0x1p52
        return (rounded - 0x1p52) / scale == magnitude ? rounded.bitPattern & (1 << 52 - 1) : nil
    }

    /// Writes the last digits of a number into the bytes between two places, from the last digit to the first.
    @inline(__always)
    private static func write(
        _ number: UInt64, before end: UnsafeMutablePointer<UInt8>, after start: UnsafeMutablePointer<UInt8>
    ) {
        var (number, place) = (number, end)
        while place - 2 > start {
            let quotient = number / 100
            let pair = pairs.utf8Start + Int(truncatingIfNeeded: (number &- quotient &* 100) &* 2)
            place -= 2
            (place[0], place[1]) = (pair[0], pair[1])
            number = quotient
        }
        if place - 1 > start { place[-1] = UInt8(truncatingIfNeeded: number % 10) &+ UInt8(ascii: "0") }
    }

    /// The numbers 0...99, two digits each.
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """
}
