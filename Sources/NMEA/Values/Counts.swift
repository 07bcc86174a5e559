/// What a decoder met since it was made. Counters wrap after 2^64.
public struct Counts: Sendable, Equatable {
    /// Sentences with a right checksum.
    public internal(set) var sentences: UInt64 = 0
    /// Epochs given.
    public internal(set) var epochs: UInt64 = 0
    /// Bytes outside of any sentence: text, binary protocols, sentences cut off at the start. Line ends are not
    /// counted.
    public internal(set) var bytesSkipped: UInt64 = 0
    /// Sentences whose checksum is wrong; skipped.
    public internal(set) var checksumErrors: UInt64 = 0
    /// Sentences without a checksum; skipped.
    public internal(set) var missingChecksums: UInt64 = 0
    /// Sentences longer than `NMEADecoder.maximumSentenceLength`; skipped.
    public internal(set) var overlong: UInt64 = 0
    /// Sentences with a right checksum and an unreadable field in it; what can be read is used.
    public internal(set) var malformed: UInt64 = 0
    /// Sentences of a kind that the decoder has no use for (and AIS).
    public internal(set) var unknownKinds: UInt64 = 0
    /// Epochs given before the receiver has told its date.
    public internal(set) var epochsWithoutDate: UInt64 = 0
    /// Positions dropped because their time was that of an epoch already given: a receiver's clock that stands still.
    public internal(set) var staleTimes: UInt64 = 0
    /// Epochs dropped because their time was before that of the epoch before.
    public internal(set) var backwardTimes: UInt64 = 0
    /// Sentences of an epoch that came after it had been given: the cycle's end is learned anew.
    public internal(set) var lateSentences: UInt64 = 0
    /// Positions dropped because they are not on the globe, or of a date that is not before ``Plausibility/latestDate``.
    public internal(set) var outOfRange: UInt64 = 0
    /// Navigation sentences dropped because they are of another device than the one that is followed.
    public internal(set) var otherDevices: UInt64 = 0

    /// Nothing met yet.
    public init() {}
}
