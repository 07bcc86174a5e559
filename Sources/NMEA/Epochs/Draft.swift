/// An epoch while its sentences come in: what they said, as they said it. Converted only when it is complete.
struct Draft {
    /// Which sentence the position is from; a later one of higher rank replaces it, together with what else it says.
    enum Rank: UInt8 {
        case none, proprietary, gll, rmc, gns, gga
    }

    /// Milliseconds since midnight; -1 while no sentence has told it.
    var time: Int32 = -1
    private(set) var parts = PartCounts()
    private(set) var lastPart = EpochPart.rmc

    var rank: UInt8 = 0
    var latitude = Coordinate(nanominutes: 0)
    var longitude = Coordinate(nanominutes: 0)
    var talker = Talker(code: 0)
    var otherDatum = false
    var quality = FixQuality.autonomous
    var qualityRank: UInt8 = 0
    var satellitesUsed: Int32 = -1
    var dimension: UInt8 = 0

    var sent = SentNumbers()
    /// PUBX,00: 68 %. PGRME: 50 %.
    var horizontalError = FixedPoint.none
    var verticalError = FixedPoint.none
    var errorsAreMedians = false

    /// Days since 1970-01-01.
    var date: Int32 = 0
    /// Time of day that the date was told with.
    var dateTime: Int32 = -1
    /// A Boolean value indicating whether the date is from a sentence that says of itself that it is void.
    var dateIsVoid = true

    /// Counts a sentence of the epoch.
    @inline(__always)
    mutating func note(_ part: EpochPart) {
        parts.add(part)
        lastPart = part
    }

    /// Takes the fix quality, unless a sentence of higher rank has told it.
    @inline(__always)
    mutating func qualify(_ quality: FixQuality, _ rank: Rank) {
        guard rank.rawValue > qualityRank else { return }
        self.quality = quality
        qualityRank = rank.rawValue
    }

    /// Takes a date: the one of a void sentence only for want of a better one.
    @inline(__always)
    mutating func date(_ days: Int32, void: Bool) {
        guard dateTime < 0 || dateIsVoid else { return }
        date = days
        dateTime = time
        dateIsVoid = void
    }
}
