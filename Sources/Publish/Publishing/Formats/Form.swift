internal import JSON
internal import LocationModel

/// The parameters of a form, in application/x-www-form-urlencoded.
struct Form {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: String) {
        if !text.isEmpty { text += "&" }
        text += name + "="
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + Int(byte).padded(to: 2, radix: 16, uppercase: true)
            }
        }
    }

    /// Adds a number, unless it is `nil` or not finite. Without `decimals`, it has full precision.
    mutating func add(_ name: String, _ value: Double?, decimals: Int? = nil) {
        guard let value, value.isFinite else { return }
        var number = JSONWriter(capacity: 32)
        if let decimals { number.value(value, decimals: decimals) } else { number.value(value) }
        add(name, number.text)
    }
}
