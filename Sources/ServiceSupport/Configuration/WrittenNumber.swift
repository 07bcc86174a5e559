/// A number in a TOML file, with or without a fraction.
package struct WrittenNumber: Decodable {
    /// The number.
    package let value: Double

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int.self) {
            value = Double(whole)
        } else {
            value = try container.decode(Double.self)
        }
    }
}
