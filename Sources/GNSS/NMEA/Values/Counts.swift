/// The counters of a decoder since its creation. They wrap after 2^64.
public struct Counts: Sendable, Equatable {
    /// Sentences with a correct checksum, or without one from a source that sends none.
    public internal(set) var sentences: UInt64 = 0
    /// UBX frames with a correct checksum, of any kind.
    public internal(set) var frames: UInt64 = 0
    /// UBX frames of unsupported kinds, or that are too short for their kind.
    public internal(set) var unreadFrames: UInt64 = 0
    /// Epochs that were reported.
    public internal(set) var epochs: UInt64 = 0
    /// Bytes outside any sentence or frame: text, other binary protocols, sentences cut off at the start. Line ends are
    /// not counted.
    public internal(set) var bytesSkipped: UInt64 = 0
    /// Sentences and frames with a wrong checksum, and noise with a correct one, which are skipped.
    public internal(set) var checksumErrors: UInt64 = 0
    /// Sentences without a checksum that were skipped (see ``NMEADecoder/uncheckedSentences`` for the others).
    public internal(set) var missingChecksums: UInt64 = 0
    /// Sentences longer than `NMEADecoder.maximumSentenceLength`, which are skipped.
    public internal(set) var overlong: UInt64 = 0
    /// Sentences with a correct checksum but an unreadable field. The readable fields are used.
    public internal(set) var malformed: UInt64 = 0
    /// Sentences of a kind that the decoder does not support (including AIS).
    public internal(set) var unknownKinds: UInt64 = 0
    /// Sentences and frames for a position that report no fix.
    public internal(set) var sentencesWithoutFix: UInt64 = 0
    /// Epochs for which the receiver reported no fix. They are not passed on.
    public internal(set) var epochsWithoutFix: UInt64 = 0
    /// Epochs that were reported before the receiver had sent its date, which some receivers never do.
    public internal(set) var epochsWithoutDate: UInt64 = 0
    /// Positions dropped because their epoch was already reported with the same time: the receiver's clock stands
    /// still.
    public internal(set) var staleTimes: UInt64 = 0
    /// Epochs dropped because their time was earlier than the time of the previous epoch.
    public internal(set) var backwardTimes: UInt64 = 0
    /// Sentences that arrived after their epoch had been reported. The end of the cycle is then learned again.
    public internal(set) var lateSentences: UInt64 = 0
    /// Positions dropped because they are not on the globe, or because their date is not before
    /// ``Plausibility/latestDate``.
    public internal(set) var outOfRange: UInt64 = 0
    /// Navigation sentences dropped because they come from a device other than the followed one.
    public internal(set) var otherDevices: UInt64 = 0

    /// Sentences dropped because their time differs by hours from sentences with a date.
    public internal(set) var otherClocks: UInt64 = 0
    /// Motions of a device other than the followed one, which sends no motion. They are used.
    public internal(set) var othersMotion: UInt64 = 0

    /// Sentences and frames with a correct checksum.
    public var messages: UInt64 { sentences &+ frames }

    /// Creates counters that are all 0.
    public init() {}
}
