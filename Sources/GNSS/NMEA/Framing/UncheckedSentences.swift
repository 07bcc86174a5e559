/// The sentences of a source that sends no checksums: instruments from before 2000, plotters and simulators.
///
/// NMEA 0183 has made the checksum mandatory for all sentences since then. The first correct checksum makes the decoder
/// strict for the rest of the input: a sentence without a checksum has then lost it on the wire, and perhaps more.
struct UncheckedSentences {
    /// The number of sentences in a row that show that a source sends no checksums. Noise does not contain the address
    /// of a known sentence once in the age of the universe, let alone four times.
    static let needed = 4

    /// A Boolean value indicating whether the first sentence counts already, because no checksums are known to follow.
    var isExpected = false
    /// The number of plausible sentences so far.
    private(set) var count = 0
    /// The number of plausible sentences that were read.
    var read: UInt64 = 0
    /// The number of lines with the shape of a sentence, of any kind.
    var shaped: UInt64 = 0

    /// Counts a plausible sentence. Returns whether it is to be read.
    mutating func accept() -> Bool {
        count = min(count + 1, Self.needed)
        return isExpected || count == Self.needed
    }
}

extension NMEADecoder {
    /// Reads the complete line, which has no checksum, if the source sends none. Returns `nil` if it is not read.
    @inline(never)
    mutating func readUnchecked(_ line: inout InlineArray<288, UInt8>, length: Int) -> Reading? {
        guard counts.messages == unchecked.read, self.line.hasLineEnd,
            (0..<length).allSatisfy({ (0x20...0x7E).contains(line[$0]) })
        else { return nil }
        let sentence = Sentence.withoutBlanks(&line, to: length)
        if sentence.count > 1, (3...8).contains(sentence.length(0)) { unchecked.shaped &+= 1 }
        let letters = sentence.address(line.span.bytes)
        let formatter = UInt32(truncatingIfNeeded: letters.byteSwapped &>> 24) & 0xFF_FFFF
        guard sentence.count > 3, sentence.length(0) == 5, Formatter(rawValue: formatter) != nil, unchecked.accept()
        else {
            return nil
        }
        let reading = read(sentence, line.span.bytes)
        if !reading.beginsNextEpoch { unchecked.read &+= 1 }
        return reading
    }

    /// The number of sentences that were read without a checksum: either all sentences, or none.
    public var uncheckedSentences: UInt64 { unchecked.read }

    /// A Boolean value indicating whether the input contained a frame, or anything with the shape of a sentence, even
    /// without a checksum.
    public var hasFoundMessages: Bool { counts.messages > 0 || unchecked.shaped > 0 }

    /// Reads sentences without a checksum from the first one on, until a sentence with a correct checksum arrives.
    /// Without this call, some of them have to arrive first.
    public mutating func expectNoChecksums() { unchecked.isExpected = true }

    /// Returns whether the beginning of a log contains plausible sentences, and none of them has a checksum.
    public static func lacksChecksums(_ beginning: RawSpan) -> Bool {
        var decoder = NMEADecoder()
        decoder.decode(beginning) { _ in }
        return decoder.counts.messages == decoder.unchecked.read && decoder.unchecked.count > 0
    }
}
