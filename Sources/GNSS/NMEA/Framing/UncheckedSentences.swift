/// The sentences of a source that sends no checksums: instruments of before 2000, plotters and simulators.
///
/// NMEA 0183 has made the checksum mandatory for all sentences since. The first right one makes the source strict for
/// good: a sentence without one has lost it on the wire, and perhaps more.
struct UncheckedSentences {
    /// The number of sentences in a row after which a source is known to send no checksums. Noise does not have the
    /// address of a known sentence once in the age of the universe, let alone four times.
    static let needed = 4

    /// A Boolean value indicating whether the first one counts already, since it is known that no checksum follows.
    var isExpected = false
    /// The number of sentences so far that make sense.
    private(set) var count = 0
    /// The number of these that were read.
    var read: UInt64 = 0
    /// The number of those that have the shape of a sentence, of any kind.
    var shaped: UInt64 = 0

    /// Returns whether a sentence that makes sense is to be read.
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

    /// The number of sentences without a checksum that were read: all of them, if there are any.
    public var uncheckedSentences: UInt64 { unchecked.read }

    /// A Boolean value indicating whether anything had the shape of a sentence, if without a checksum, or was a frame.
    public var hasFoundMessages: Bool { counts.messages > 0 || unchecked.shaped > 0 }

    /// Has sentences without a checksum read from the first on, until one with a right checksum comes. Otherwise some of
    /// them have to come first.
    public mutating func expectNoChecksums() { unchecked.isExpected = true }

    /// Returns whether the beginning of a log has sentences that make sense, and none with a checksum.
    public static func lacksChecksums(_ beginning: RawSpan) -> Bool {
        var decoder = NMEADecoder()
        decoder.decode(beginning) { _ in }
        return decoder.counts.messages == decoder.unchecked.read && decoder.unchecked.count > 0
    }
}
