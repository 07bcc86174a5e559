/// Detects sentences of a second clock on the wire, hours from the followed one: servers on board insert positions with
/// their local time between the receiver's.
///
/// A time that arrives with a date counts. Sentences whose time is far from it are dropped, unless two kinds of them
/// agree. Before a date has arrived, the first time counts for a few sentences.
struct OtherClock {
    /// The least difference from the dated time, in milliseconds.
    private static let leastDifference: Int32 = 1_800_000
    /// The number of epochs without a date after which the dated time does not count any more.
    private static let lifetime = 20
    /// The number of sentences that are dropped before a date has arrived.
    private static let maximumDropped = 3

    /// The time of day of the last sentence with a date, in milliseconds, or -1.
    private var dated: Int32 = -1
    private var sinceDated = 0
    private var last: (part: EpochPart, time: Int32)?
    /// A Boolean value indicating whether two kinds of sentences have had the same other time.
    private var isAgreedOn = false

    /// Records the time of day of a sentence with a date.
    @inline(__always)
    mutating func noteDate(at time: Int32) {
        dated = time
        sinceDated = 0
    }

    /// Returns whether the time of a sentence that would begin an epoch belongs to another clock.
    ///
    /// - Parameter pending: The time of the pending epoch, or -1.
    mutating func has(_ time: Int32, of part: EpochPart, pending: Int32) -> Bool {
        guard !isAgreedOn, part == .gga || part == .gll || part == .gns else { return false }
        sinceDated += 1
        let reference = dated >= 0 ? dated : pending
        guard reference >= 0, sinceDated < (dated >= 0 ? Self.lifetime : Self.maximumDropped),
            abs(Calendar.difference(time, reference)) >= Self.leastDifference
        else { return false }
        if let last, last.part != part, abs(Calendar.difference(time, last.time)) < 5000 {
            isAgreedOn = true
            return false
        }
        last = (part, time)
        return true
    }
}

/// The height of a sentence that is slightly older than the surrounding positions: a gateway of NMEA 2000 passes on
/// positions at once, and other values with the time of their measurement.
struct OlderHeight {
    /// The greatest age of a height that completes an epoch, in milliseconds.
    private static let lifetime: Int32 = 5000

    /// The values of the sentence, as in an epoch.
    private var values = Draft()
    private var time: Int32 = -1
    /// The time of the last sentence with a height, or -1.
    private var last: Int32 = -1

    /// Returns whether a sentence with a height and this time is older than an epoch, according to its own clock's
    /// progress. It is not after the receiver's clock has stepped back.
    mutating func isOlder(_ time: Int32, than epoch: Int32) -> Bool {
        let isNext = last < 0 || Calendar.difference(time, last) > 0
        last = time
        return isNext && epoch >= 0 && (10..<Self.lifetime).contains(Calendar.difference(epoch, time))
    }

    mutating func keep(_ values: Draft, _ time: Int32) { (self.values, self.time) = (values, time) }

    /// Completes an epoch that has no height.
    @inline(__always)
    func complete(_ draft: inout Draft) {
        guard time >= 0, !draft.hasSentHeight else { return }
        completeSlowly(&draft)
    }

    @inline(never)
    private func completeSlowly(_ draft: inout Draft) {
        guard draft.time >= 0, (0..<Self.lifetime).contains(Calendar.difference(draft.time, time)) else { return }
        draft.sent.altitude = values.sent.altitude
        draft.sent.geoidSeparation = values.sent.geoidSeparation
        draft.sent.correctionAge = values.sent.correctionAge
        if draft.sent.hdop.isNone { draft.sent.hdop = values.sent.hdop }
        if draft.satellitesUsed < 0 { draft.satellitesUsed = values.satellitesUsed }
        draft.qualify(values.quality, .gga)
    }
}
