/// Numbers as the kernel writes them in proc(5).
enum Decimal {
    /// Returns the number that all of the bytes are, or `nil` unless they are 1 to 10 digits.
    static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard 1...10 ~= bytes.count else { return nil }
        var number: UInt64 = 0
        for index in 0..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            number = number * 10 + UInt64(digit)
        }
        return number
    }
}
