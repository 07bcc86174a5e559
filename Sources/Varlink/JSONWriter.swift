public import NIOCore

/// Writes JSON text into a buffer, without Foundation and without an intermediate tree.
///
/// For frames that are made often. The caller is responsible for the order of calls (a key before each value inside
/// an object, every `begin` with its `end`); escaping, commas and number formats are the writer's. A `Double` is
/// written in the shortest form that reads back as the same value; one that is not finite, which JSON cannot say,
/// is written as `null`, or left out by ``field(_:_:)-(StaticString,Double?)``.
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public internal(set) var buffer: ByteBuffer
    private var needsComma = false

    /// A writer that appends to `buffer`.
    public init(appendingTo buffer: ByteBuffer = ByteBuffer()) {
        self.buffer = buffer
    }

    // MARK: Structure

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        buffer.writeInteger(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the innermost object.
    public mutating func endObject() {
        buffer.writeInteger(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        buffer.writeInteger(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes the innermost array.
    public mutating func endArray() {
        buffer.writeInteger(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the key of the next value. It is written as it is: it must need no escaping.
    public mutating func key(_ key: StaticString) {
        separate()
        buffer.writeInteger(UInt8(ascii: "\""))
        buffer.writeStaticString(key)
        buffer.writeStaticString("\":")
        needsComma = false
    }

    /// Writes the key of the next value, escaped as needed.
    public mutating func key(_ key: String) {
        value(key)
        buffer.writeInteger(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes `null`.
    public mutating func null() {
        separate()
        buffer.writeStaticString("null")
        needsComma = true
    }

    /// Writes a string, escaped as needed.
    public mutating func value(_ value: String) {
        separate()
        buffer.writeInteger(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { writeEscaped($0) }
        buffer.writeInteger(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        separate()
        buffer.writeString(value.description)
        needsComma = true
    }

    /// Writes a number in the shortest form that reads back as the same value; `null` when it is not finite.
    public mutating func value(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        buffer.writeString(value.description)
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        separate()
        buffer.writeStaticString(value ? "true" : "false")
        needsComma = true
    }

    // MARK: Fields of an object; an absent value leaves the field out

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

    private mutating func separate() {
        if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
    }

    private mutating func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            buffer.writeBytes(text[start..<index])
            start = index + 1
            writeEscape(byte)
        }
        buffer.writeBytes(text[start...])
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.writeStaticString("\\\"")
        case UInt8(ascii: "\\"): buffer.writeStaticString("\\\\")
        case UInt8(ascii: "\n"): buffer.writeStaticString("\\n")
        case UInt8(ascii: "\r"): buffer.writeStaticString("\\r")
        case UInt8(ascii: "\t"): buffer.writeStaticString("\\t")
        default:
            let digits: StaticString = "0123456789abcdef"
            buffer.writeStaticString("\\u00")
            buffer.writeInteger(digits.utf8Start[Int(byte >> 4)])
            buffer.writeInteger(digits.utf8Start[Int(byte & 15)])
        }
    }
}
