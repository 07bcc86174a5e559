/// A buffer for one sentence that cannot be read in place: the end of the input cut it off, or it has an unusual
/// shape. It is limited to `NMEADecoder.maximumSentenceLength` bytes.
struct LineBuffer {
    /// The sentence from `$` or `!` on, and room for reading beyond its end one word at a time.
    private(set) var bytes = InlineArray<288, UInt8>(repeating: 0)
    /// The number of bytes received so far, or 0 if no sentence has begun.
    private(set) var count = 0
    /// A Boolean value indicating whether the end of the sentence has been reached.
    private(set) var isComplete = false
    /// A Boolean value indicating whether a line end or the end of the input has completed the sentence, rather than
    /// the start of the next sentence.
    private(set) var hasLineEnd = false

    /// Consumes bytes up to the end of the sentence, which is a line end or the start of the next sentence. Returns
    /// `false` if the sentence is too long.
    mutating func fill(from input: RawSpan, at offset: inout Int) -> Bool {
        while offset < input.byteCount, !isComplete {
            if count > 0 { fillWords(from: input, at: &offset) }
            guard offset < input.byteCount else { break }
            let byte = input.byte(at: offset)
            if count > 0, Self.endsSentence(byte) {
                isComplete = true
                hasLineEnd = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
            } else if count == NMEADecoder.maximumSentenceLength {
                return false
            } else {
                bytes[count] = byte
                count += 1
                offset += 1
            }
        }
        return true
    }

    /// Consumes eight bytes at a time, while none of them can be the end of the sentence.
    private mutating func fillWords(from input: RawSpan, at offset: inout Int) {
        let high: UInt64 = 0x8080_8080_8080_8080
        while offset &+ 8 <= input.byteCount, count &+ 8 <= NMEADecoder.maximumSentenceLength {
            let word = input.word(at: offset)
            // The high bit of each byte shows whether the byte is below 0x25: a line end, `$`, `!`, or another byte
            // that must be checked on its own.
            guard ~(((word | high) &- 0x2525_2525_2525_2525) | word) & high == 0 else { return }
            let end = count
            var storage = bytes.mutableSpan
            var raw = storage.mutableBytes
            raw.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
            count &+= 8
            offset &+= 8
        }
    }

    /// Appends a line end, which is not counted, so that the sentence has the usual shape.
    mutating func terminate() {
        bytes[count] = UInt8(ascii: "\r")
    }

    /// Marks the sentence as complete: no more input will arrive.
    mutating func complete() {
        isComplete = count > 0
        hasLineEnd = true
    }

    /// The offset where a frame may begin in bytes that were not a sentence, or `nil` if there is no such offset.
    var frameStart: Int? {
        let bytes = bytes
        return UBXFrame.start(in: bytes.span.bytes, 1, count)
    }

    mutating func clear() {
        count = 0
        isComplete = false
    }

    @inline(__always)
    static func endsSentence(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "$")
            || byte == UInt8(ascii: "!")
    }
}
