/// A writer of JSON text into existing memory, such as a send buffer, for the text that is written most often.
///
/// The caller must make sure that the pieces together are JSON and that they fit. Writing beyond the end of the
/// memory is a programming error and stops the program.
public struct JSONOutput: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written so far.
    public private(set) var count = 0

    /// Creates an output that begins at the start of `memory`, which must remain valid for the lifetime of the output.
    public init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    /// Writes text without escaping.
    public mutating func verbatim(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a number in the shortest form that reads back as the same value, at most 24 bytes, or `null` if it is
    /// not finite.
    public mutating func value(_ value: Double) {
        guard value.isFinite else { return verbatim("null") }
        if memory.count - count >= DecimalText.maximumLength, let start = memory.baseAddress,
            let length = DecimalText.write(
                value, to: (start + count).assumingMemoryBound(to: UInt8.self))
        {
            count += length
        } else {
            append(value.description)
        }
    }

    /// Writes a whole number, at most 20 bytes.
    public mutating func value(_ value: Int) {
        append(value.description)
    }

    /// Writes a string, escaped as needed: at most six bytes for each byte of the string, and two for the quotes.
    public mutating func value(_ value: String) {
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            verbatim("\"")
            append(value)
            return verbatim("\"")
        }
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

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let start = memory.baseAddress else { return }
        precondition(bytes.count <= memory.count - count, "JSON beyond its memory")
        (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }
}
