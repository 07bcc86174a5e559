/// The pending epoch: the contents of its sentences so far, as they were sent. They are converted only when the epoch
/// is complete.
struct Draft {
    /// The sentence that the position comes from. A later sentence of higher rank replaces it, with its other contents.
    enum Rank: UInt8 {
        case none, proprietary, gll, rmc, gns, gga, ubx
    }

    /// The time of day in milliseconds since midnight, or -1 before a sentence with a time.
    var time: Int32 = -1
    /// The mark of the first sentence with a time.
    var mark: UInt32 = 0
    private(set) var parts = PartCounts()
    private(set) var lastPart = EpochPart.rmc

    /// A Boolean value indicating whether the device's clock stands still. The epoch then has no time, although its
    /// sentences have one.
    var isOfStandingClock = false
    /// A Boolean value indicating whether a sentence has reported that there is no fix.
    var isVoid = false
    var rank: UInt8 = 0
    /// The sentence that the position comes from.
    var positionPart = EpochPart.rmc
    var latitude = Coordinate(nanominutes: 0)
    var longitude = Coordinate(nanominutes: 0)
    var talker = Talker(code: 0)
    /// The datum of the position, and the error that it may cause, in metres.
    var datum: Datum?
    var datumError: Float = 0
    var quality = FixQuality.autonomous
    var qualityRank: UInt8 = 0
    var satellitesUsed: Int32 = -1
    /// A Boolean value indicating whether a sentence has contained the height.
    var hasSentHeight = false
    var dimension: UInt8 = 0

    var sent = SentNumbers()
    /// The horizontal error in metres. NAV-PVT, NAV-HPPOSLLH and PUBX,00 state it at 68 %, PGRME at 50 %.
    var horizontalError = FixedPoint.none
    var verticalError = FixedPoint.none
    var errorsAreMedians = false

    /// The days since 1970-01-01.
    var date: Int32 = 0
    /// The time of day in the sentence of the date, or -1 if there is no date.
    var dateTime: Int32 = -1
    /// A Boolean value indicating whether the date comes from a sentence that is marked as void.
    var dateIsVoid = true

    /// Returns whether this is an epoch of a device that sends no times, rather than late sentences of the previous
    /// epoch. It is such an epoch if its position comes from a sentence that the previous epoch had, too.
    func isUntimedEpoch(after parts: PartCounts) -> Bool {
        rank > 0 && parts.count(positionPart) > 0
    }

    /// Counts a sentence of the epoch.
    @inline(__always)
    mutating func note(_ part: EpochPart) {
        parts.add(part)
        lastPart = part
    }

    /// Applies the fix quality, unless a sentence of higher rank has reported one.
    @inline(__always)
    mutating func qualify(_ quality: FixQuality, _ rank: Rank) {
        guard rank.rawValue > qualityRank else { return }
        self.quality = quality
        qualityRank = rank.rawValue
    }

    /// Applies the date of a sentence or frame with this time of day. The date of a void one counts only without a
    /// better one.
    @inline(__always)
    mutating func date(_ days: Int32, at time: Int32, void: Bool) {
        guard dateTime < 0 || dateIsVoid else { return }
        date = days
        dateTime = time
        dateIsVoid = void
    }
}
