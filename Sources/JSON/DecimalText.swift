/// The text of a number with few decimals, like most numbers that receivers measure. It is the same text as that of
/// `description`, for a fraction of the work.
enum DecimalText {
    /// The length of the longest text, in bytes.
    static let maximumLength = 24

    /// Writes the text of a number. Returns its length in bytes, or `nil` if the number has too many decimals or
    /// digits.
    ///
    /// - Parameter memory: Room for ``maximumLength`` bytes.
    @inline(__always)
    static func write(_ value: Double, to memory: UnsafeMutablePointer<UInt8>) -> Int? {
        // The description of a number below 0.001 may have an exponent.
        guard value.magnitude >= 0.001 || (value == 0 && value.sign == .plus) else { return nil }
        return write(value, decimals: 1, 1e1, to: memory) ?? write(value, decimals: 3, 1e3, to: memory)
            ?? write(value, decimals: 6, 1e6, to: memory) ?? write(value, decimals: 9, 1e9, to: memory)
    }

    private static func write(
        _ value: Double, decimals: Int, _ scale: Double, to memory: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let scaled = value.magnitude * scale
        // Up to 15 digits, different decimal numbers are different `Double`s, and the shortest form of each is that
        // number.
        guard scaled < 1e15 else { return nil }
        var rest = UInt64(scaled + 0.5)
        guard Double(rest) / scale == value.magnitude else { return nil }
        var decimals = decimals
        while decimals > 1, rest % 10 == 0 {
            rest /= 10
            decimals -= 1
        }
        // Writes from the last digit to the first: at least one decimal, and at least one digit before the point.
        let end = memory + maximumLength
        var start = end
        func put(_ character: UInt8) {
            start -= 1
            start.pointee = character
        }
        func putDigit() {
            let quotient = rest / 10
            put(UInt8(truncatingIfNeeded: rest &- quotient &* 10) &+ UInt8(ascii: "0"))
            rest = quotient
        }
        while decimals > 0 {
            putDigit()
            decimals -= 1
        }
        put(UInt8(ascii: "."))
        repeat { putDigit() } while rest > 0
        if value < 0 { put(UInt8(ascii: "-")) }
        let length = end - start
        memory.update(from: start, count: length)
        return length
    }
}
