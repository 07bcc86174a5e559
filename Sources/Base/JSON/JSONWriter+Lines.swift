/// Formats that other protocols require: a fixed number of decimals, and values that are lines of text.
extension JSONWriter {
    /// Writes a number with `decimals` decimals, 1...9, as printf(3) does with `%.3f`, or `null` if it is not finite.
    ///
    /// A number with more than 15 digits is written in the shortest form that reads back as the same value.
    public mutating func value(_ value: Double, decimals: Int) {
        guard value.isFinite else { return null() }
        let scale = Self.powersOfTen[decimals]
        let scaled = Self.product(value.magnitude, scale)
        guard scaled < 1e15 else { return self.value(value) }
        separate()
        needsComma = true
        if value < 0, scaled > 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(of: UInt64(scaled), decimals: decimals)
    }

    /// Writes a field with a number of `decimals` decimals, unless it is `nil` or not finite.
    public mutating func field(_ key: StaticString, _ value: Double?, decimals: Int) {
        guard let value, value.isFinite else { return }
        self.key(key)
        self.value(value, decimals: decimals)
    }

    /// Ends a line with CR LF. Another value may follow on the next line.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Returns the product of a number and a power of ten, rounded once. The exact product decides whether it is a tie:
    /// the rounded product may be a tie although the exact one is not.
    private static func product(_ value: Double, _ scale: Double) -> Double {
        let product = value * scale
        let rest = (-product).addingProduct(value, scale)
        guard product - product.rounded(.down) == 0.5, rest != 0 else { return product.rounded(.toNearestOrEven) }
        return product.rounded(rest > 0 ? .up : .down)
    }

    private static let powersOfTen: [10 of Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}
