/// The parts so far of a solution in several frames, as u-blox 5 to 7 send it.
///
/// The frames of an epoch share its time of the GPS week. UTC is this time minus the leap seconds. The receiver learns
/// them from the satellites within its first quarter of an hour, and reports them with TIMEUTC or TIMEGPS.
struct SplitSolution {
    /// The leap seconds since 2017-01-01 (IERS Bulletin C), until the receiver reports the right number.
    private static let assumedLeapSeconds: Int32 = 18
    static let millisecondsPerWeek: UInt32 = 604_800_000

    /// The kinds of frames, as bits.
    struct Kinds: OptionSet {
        let rawValue: UInt8

        static let position = Kinds(rawValue: 1)
        static let status = Kinds(rawValue: 2)
        static let dilutions = Kinds(rawValue: 4)
        static let solution = Kinds(rawValue: 8)
        static let velocity = Kinds(rawValue: 16)
        static let gpsTime = Kinds(rawValue: 32)
        static let utc = Kinds(rawValue: 64)
    }

    /// The position in a NAV-POSLLH.
    struct Place {
        let position: Position
        /// The height above the ellipsoid and the altitude above mean sea level, in millimetres.
        let height: Int32
        let altitude: Int32
        let horizontalError: FixedPoint
        let verticalError: FixedPoint
    }

    /// The judgement about the fix in NAV-SOL or NAV-STATUS.
    struct Verdict {
        let quality: FixQuality?
        let dimension: UInt8
    }

    /// The time of the GPS week in milliseconds.
    private(set) var timeOfWeek: UInt32 = .max
    /// The time of day of the epoch in UTC, in milliseconds.
    var time: Int32 = -1
    /// A Boolean value indicating whether these frames have set the time of the pending epoch.
    var hasOpened = false
    private(set) var kinds: Kinds = []
    var place: Place?
    var verdict: Verdict?
    /// A Boolean value indicating whether the position was applied to the epoch, or cannot be.
    var isSettled = false
    /// The leap seconds, and whether the receiver knows them from the satellites.
    private(set) var leapSeconds = assumedLeapSeconds
    private(set) var knowsLeapSeconds = false

    /// Returns the time of day in UTC for a time of the GPS week, both in milliseconds.
    func timeOfDay(_ timeOfWeek: UInt32) -> Int32 {
        let day = Int32(Calendar.millisecondsPerDay)
        let time = (Int32(timeOfWeek % UInt32(day)) &- leapSeconds &* 1000) % day
        return time < 0 ? time &+ day : time
    }

    /// Begins the solution of another epoch.
    mutating func begin(_ timeOfWeek: UInt32) {
        let (leapSeconds, isKnown) = (leapSeconds, knowsLeapSeconds)
        self = SplitSolution()
        (self.leapSeconds, knowsLeapSeconds) = (leapSeconds, isKnown)
        self.timeOfWeek = timeOfWeek
        time = timeOfDay(timeOfWeek)
    }

    mutating func add(_ kind: Kinds) { kinds.insert(kind) }

    mutating func learn(leapSeconds: Int32) {
        self.leapSeconds = leapSeconds
        knowsLeapSeconds = true
    }
}
