/// Removes the chunks' headers from the body of an HTTP answer: RFC 9112, section 7.1. Chunks begin and end anywhere in
/// a frame.
struct ChunkReader: Sendable {
    private enum Phase {
        case size(digits: Int), comment, data, dataEnd, over
    }

    /// The maximum size of a chunk, in bytes.
    private static let maximumSize = 1 << 24
    /// The maximum length of a line between chunks, in bytes.
    private static let maximumLine = 1024

    private var phase = Phase.size(digits: 0)
    /// The size of the chunk, or the rest of it.
    private var size = 0
    private var lineLength = 0

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Removes the next part of a chunk from `bytes` and returns it; `nil` if there is none. Throws an error for
    /// anything that is not a chunk.
    mutating func next(in bytes: inout ArraySlice<UInt8>) throws(InvalidChunk) -> ArraySlice<UInt8>? {
        while let byte = bytes.first, !isOver {
            if case .data = phase {
                let part = bytes.prefix(size)
                bytes.removeFirst(part.count)
                size -= part.count
                if size == 0 { begin(.dataEnd) }
                return part
            }
            bytes.removeFirst()
            try consume(byte)
        }
        return nil
    }

    private mutating func begin(_ phase: Phase) { (self.phase, lineLength) = (phase, 0) }

    private mutating func consume(_ byte: UInt8) throws(InvalidChunk) {
        // Attack: a line that never ends.
        lineLength += 1
        guard lineLength <= Self.maximumLine else { throw InvalidChunk() }
        switch (phase, byte) {
        case (.size(1...), UInt8(ascii: "\n")), (.comment, UInt8(ascii: "\n")): begin(size == 0 ? .over : .data)
        case (.size(1...), UInt8(ascii: ";")): phase = .comment
        case (.size, UInt8(ascii: "\r")), (.dataEnd, UInt8(ascii: "\r")), (.comment, _): break
        case (.size(let digits), _):
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw InvalidChunk() }
            size = 16 * size + digit
            // Attack: a size of 2^63, or with endless digits.
            guard size <= Self.maximumSize else { throw InvalidChunk() }
            phase = .size(digits: digits + 1)
        case (.dataEnd, UInt8(ascii: "\n")): begin(.size(digits: 0))
        default: throw InvalidChunk()
        }
    }
}

/// The error for a body that does not consist of chunks.
struct InvalidChunk: Error {}
