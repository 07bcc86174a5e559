/// A writer of JSON text into existing memory, such as a send buffer, for the most frequent texts.
///
/// The caller must ensure that the pieces form valid JSON and that they fit. Writing beyond the end of the memory is a
/// programming error and stops the program.
public struct JSONOutput: ~Copyable {
    @usableFromInline let memory: UnsafeMutableRawBufferPointer
    @usableFromInline var _count = 0

    /// The number of bytes written so far.
    public var count: Int { _count }

    /// Creates an output that begins at the start of `memory`, which must remain valid for the lifetime of the output.
    public init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    /// Writes text without escaping. Inlined, so that a literal is stored with a few instructions.
    @inlinable @inline(__always)
    public mutating func verbatim(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a number in the shortest form that reads back as the same value, at most 24 bytes, or `null` if it is
    /// not finite.
    public mutating func value(_ value: Double) {
        guard value.isFinite else { return verbatim("null") }
        if let room, let length = DecimalText.write(value, to: room) {
            _count += length
        } else {
            append(value.description)
        }
    }

    /// Writes a whole number, at most 20 bytes.
    public mutating func value(_ value: Int) {
        if let room, value >= 0 {
            _count += DecimalText.write(UInt64(value), to: room)
        } else {
            append(value.description)
        }
    }

    /// The memory that is not written yet, if any number's text fits into it.
    private var room: UnsafeMutablePointer<UInt8>? {
        guard memory.count - _count >= DecimalText.maximumLength else { return nil }
        return memory.baseAddress.map { ($0 + _count).assumingMemoryBound(to: UInt8.self) }
    }

    /// Writes a string, escaped as needed: at most six bytes for each byte of the string, and two for the quotes.
    public mutating func value(_ value: String) {
        var value = value
        let isPlain = value.withUTF8 { text in
            for byte in text where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return false
            }
            verbatim("\"")
            append(UnsafeRawBufferPointer(text))
            verbatim("\"")
            return true
        }
        if isPlain { return }
        var writer = JSONWriter(capacity: value.utf8.count + 2)
        writer.value(value)
        writer.bytes.withUnsafeBytes { append($0) }
    }

    /// Writes a string of ASCII characters that need no escaping.
    public mutating func value(plain text: Span<UInt8>) {
        verbatim("\"")
        text.withUnsafeBytes { append($0) }
        verbatim("\"")
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let start = memory.baseAddress else { return }
        precondition(bytes.count <= memory.count - _count, "JSON beyond its memory")
        (start + _count).copyMemory(from: source, byteCount: bytes.count)
        _count += bytes.count
    }
}
