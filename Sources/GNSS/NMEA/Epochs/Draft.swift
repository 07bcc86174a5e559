/// The pending epoch: the contents of its sentences so far, as they were sent. Converted only when it is complete.
struct Draft {
    /// The sentence that the position is from. A later one of higher rank replaces it, with its other contents.
    enum Rank: UInt8 {
        case none, proprietary, gll, rmc, gns, gga, ubx
    }

    /// The time of day in milliseconds since midnight, or -1 before a sentence that contains it.
    var time: Int32 = -1
    /// The mark of the first sentence with a time.
    var mark: UInt32 = 0
    private(set) var parts = PartCounts()
    private(set) var lastPart = EpochPart.rmc

    /// A Boolean value indicating whether the device's clock stands still: the epoch has no time, though its sentences have.
    var isOfStandingClock = false
    /// A Boolean value indicating whether a sentence has said that there is no fix.
    var isVoid = false
    var rank: UInt8 = 0
    /// The sentence that the position is from.
    var positionPart = EpochPart.rmc
    var latitude = Coordinate(nanominutes: 0)
    var longitude = Coordinate(nanominutes: 0)
    var talker = Talker(code: 0)
    /// The datum of the position, and what it may be off by because of that, in metres.
    var datum: Datum?
    var datumError: Float = 0
    var quality = FixQuality.autonomous
    var qualityRank: UInt8 = 0
    var satellitesUsed: Int32 = -1
    /// A Boolean value indicating whether a sentence has contained the height.
    var hasSentHeight = false
    var dimension: UInt8 = 0

    var sent = SentNumbers()
    /// NAV-PVT and PUBX,00: 68 %. PGRME: 50 %.
    var horizontalError = FixedPoint.none
    var verticalError = FixedPoint.none
    var errorsAreMedians = false

    /// Days since 1970-01-01.
    var date: Int32 = 0
    /// The time of day in the sentence of the date, or -1 if there is no date.
    var dateTime: Int32 = -1
    /// A Boolean value indicating whether the date is from a sentence that is marked as void.
    var dateIsVoid = true

    /// Returns whether this is an epoch of a device that sends no times, and not what came late for the epoch before,
    /// which had those sentences: it has a position from a sentence that the other epoch had too.
    func isUntimedEpoch(after parts: PartCounts) -> Bool {
        rank > 0 && parts.count(positionPart) > 0
    }

    /// Counts a sentence of the epoch.
    @inline(__always)
    mutating func note(_ part: EpochPart) {
        parts.add(part)
        lastPart = part
    }

    /// Applies the fix quality, unless a sentence of higher rank has contained one.
    @inline(__always)
    mutating func qualify(_ quality: FixQuality, _ rank: Rank) {
        guard rank.rawValue > qualityRank else { return }
        self.quality = quality
        qualityRank = rank.rawValue
    }

    /// Applies the date of a sentence or frame with that time of day. The date of a void one counts only if there is no
    /// better one.
    @inline(__always)
    mutating func date(_ days: Int32, at time: Int32, void: Bool) {
        guard dateTime < 0 || dateIsVoid else { return }
        date = days
        dateTime = time
        dateIsVoid = void
    }
}
