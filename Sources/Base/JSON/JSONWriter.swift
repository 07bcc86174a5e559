/// A writer of JSON text without Foundation or an intermediate tree, for frequent frames.
///
/// The caller is responsible for the order of calls: a key before each value inside an object, and an `end` for every
/// `begin`. The writer takes care of escaping, commas and number formats. It writes a `Double` in the shortest form
/// that reads back as the same value. JSON cannot express a number that is not finite; such a number becomes `null`, or
/// is omitted by ``field(_:_:)-(StaticString,Double?)``.
public struct JSONWriter: Sendable {
    /// The text written so far, in UTF-8.
    public internal(set) var bytes: [UInt8] = []
    var needsComma = false

    /// Creates an empty writer with room for `capacity` bytes.
    public init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    /// The text written so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Structure

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the innermost object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes the innermost array.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the key of the next value without escaping. The key must not need escaping.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(key)
        append("\":")
        needsComma = false
    }

    /// Writes the key of the next value, escaped as needed.
    public mutating func key(_ key: String) {
        value(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes `null`.
    public mutating func null() {
        separate()
        append("null")
        needsComma = true
    }

    /// Writes a string, escaped as needed.
    public mutating func value(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { writeEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a string of ASCII characters that need no escaping.
    public mutating func value(plain text: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(of: value.magnitude, decimals: 0)
        needsComma = true
    }

    /// Writes a number in the shortest form that reads back as the same value, or `null` if it is not finite.
    public mutating func value(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        let isWritten = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalText.maximumLength) { memory in
            guard let length = DecimalText.write(value, to: memory.baseAddress!) else { return false }
            bytes.append(contentsOf: memory[..<length])
            return true
        }
        if !isWritten { append(value.description) }
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        needsComma = true
    }

    // MARK: Fields of an object, omitted if the value is absent

    /// Writes a field with a string, unless it is `nil`.
    public mutating func field(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }

    /// Writes a field with an integer, unless it is `nil`.
    public mutating func field(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }

    /// Writes a field with a number, unless it is `nil` or not finite.
    public mutating func field(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        self.key(key)
        self.value(value)
    }

    /// Writes a field with a Boolean, unless it is `nil`.
    public mutating func field(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends the digits of a number, with the last `decimals` of them, 0...9, after a point.
    mutating func appendDigits(of number: UInt64, decimals: Int) {
        // From the last digit to the first. The greatest number has 20 digits.
        var text = [21 of UInt8](repeating: UInt8(ascii: "."))
        var start = text.count
        var rest = number
        for place in 1...20 where rest > 0 || place <= decimals + 1 {
            if place == decimals + 1, decimals > 0 { start -= 1 }
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        text.span.extracting(start...).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                append(text, start..<index)
                start = index + 1
                writeEscape(byte)
            }
            index += 1
        }
        append(text, start..<text.count)
    }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[range]))
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\r"): append("\\r")
        case UInt8(ascii: "\t"): append("\\t")
        default:
            let digits: StaticString = "0123456789abcdef"
            append("\\u00")
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }
}
