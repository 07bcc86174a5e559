/// The result of reading a sentence.
enum Reading {
    /// The sentence was read, and does not concern the epoch.
    case nothing
    /// The sentence belongs to the pending epoch.
    case part(EpochPart)
    /// The sentence belongs to the next epoch. The pending epoch has to be ended, and the sentence has to be read
    /// again.
    case beginsNextEpoch
    /// The sentence contains a heading, which the compass now has.
    case heading
    /// The decoder does not support this kind of sentence.
    case unknown
    /// The address is not one: noise whose checksum happens to be right.
    case noise

    /// A Boolean value indicating whether the sentence was not consumed.
    @inline(__always)
    var beginsNextEpoch: Bool {
        if case .beginsNextEpoch = self { true } else { false }
    }

    /// Creates the result for a sentence that has not joined the pending epoch.
    init(_ join: NMEADecoder.Join) {
        self = join == .beginsNextEpoch ? .beginsNextEpoch : .nothing
    }
}
