/// Holds one sentence that could not be read where it stood: it was cut by the end of the input, or it has an
/// unusual shape. Bounded: `NMEADecoder.maximumSentenceLength` bytes.
struct LineBuffer {
    /// The sentence from `$` or `!` on, and room for reading beyond its end a word at a time.
    private(set) var bytes = InlineArray<288, UInt8>(repeating: 0)
    /// How many bytes of it have come; 0 while no sentence has begun.
    private(set) var count = 0
    /// A Boolean value indicating whether its end has come.
    private(set) var isComplete = false

    /// Takes bytes up to the end of the sentence, which is a line end or the start of the next sentence.
    /// Returns `false` when it is longer than it may be.
    mutating func fill(from input: RawSpan, at offset: inout Int) -> Bool {
        while offset < input.byteCount, !isComplete {
            if count > 0 { fillWords(from: input, at: &offset) }
            guard offset < input.byteCount else { break }
            let byte = input.byte(at: offset)
            if count > 0, Self.endsSentence(byte) {
                isComplete = true
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

    /// Takes eight bytes at a time, while none of them can be the end of the sentence.
    private mutating func fillWords(from input: RawSpan, at offset: inout Int) {
        let high: UInt64 = 0x8080_8080_8080_8080
        while offset &+ 8 <= input.byteCount, count &+ 8 <= NMEADecoder.maximumSentenceLength {
            let word = input.word(at: offset)
            // The high bit of each byte tells whether it is below 0x25: a line end, `$` or `!`, or another one that is
            // looked at by itself.
            guard ~(((word | high) &- 0x2525_2525_2525_2525) | word) & high == 0 else { return }
            var storage = bytes.mutableSpan
            var raw = storage.mutableBytes
            raw.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
            count &+= 8
            offset &+= 8
        }
    }

    /// Ends what is there with a line end, which is not counted: the usual shape.
    mutating func terminate() {
        bytes[count] = UInt8(ascii: "\r")
    }

    /// No more input will come: what is there is the whole sentence.
    mutating func complete() {
        isComplete = count > 0
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
