/// Makes the location that apps get which may have it only roughly.
///
/// There is one for the whole machine. What all of those apps together learn, however long they watch, is at each
/// tick of a slow clock the cell of 5 km that the device is in, seen through a shift that they do not know. Each rule
/// is there against an attack:
///
/// * *Averaging.* Noise added to each fix averages out over a night. Here nothing is drawn anew: a cell has one
///   centre, and while the device is in it each update has the same bytes.
/// * *Border crossings.* On a grid with known borders each change of the cell says that the device is on a line. Here
///   the borders are hidden by a shift (see ``ReductionGrid``), the cell changes only some way beyond them, and only
///   at a tick.
/// * *Drifting shifts.* A shift that is drawn anew now and then sweeps the borders across the home of a device that
///   rests there; the moments of change then give its coordinates away. This one comes from the machine's secret and
///   never changes.
/// * *Collusion, resubscribing, reset, restart.* A second reducer, a second state or a new secret would be a second
///   grid to cut the first one's cells with. All apps share this one, and its state is kept.
/// * *Timing.* Updates that come with movement, or timestamps of the receiver, tell when and how fast the device
///   moves. Each tick that has a fix is told, at rest as in movement, with the tick's own time.
/// * *Accuracy.* A receiver's accuracy tells streets from fields, and garages from streets. Here it is a constant.
///
/// What the cells of the ticks say by themselves is not hidden. Who has had the exact location on the way knows the
/// borders; who besides knows the road and, to some minutes, when the device set out learns how far along that road it
/// set out from.
public struct AccuracyReducer: Sendable {
    /// From one tick to the next, in seconds: 4 an hour.
    public static let tickSeconds = 900
    /// A fix so long after a tick still settles it, in seconds: receivers that give one a second have three chances.
    public static let settlingSeconds = 2
    /// The greatest speed at which a fix settles a tick, in metres a second: beyond any airliner's over ground.
    public static let greatestSpeed = 360.0
    /// The worst accuracy of a fix that settles a tick, in metres, 68 %. One that does not say how accurate it is
    /// counts as good.
    public static let worstAccuracy = 40.0
    /// The horizontal accuracy of every reduced location, in metres: the device was not further from it at the tick.
    ///
    /// 7572 m from the farthest corner of a cell, its margin included, to the centre that is told; 720 m that a
    /// device at the greatest speed moves until a fix settles the tick; 200 m, five times the worst accuracy; rounded
    /// up. The sum is 8492 m.
    public static let horizontalAccuracy = 8500.0
    /// A tick that is further in the past than this, in seconds, may be a sign that the last one was told by a wrong
    /// clock.
    public static let clockDoubtSeconds = 86_400

    /// What is kept over restarts.
    public private(set) var state: State

    let grid: ReductionGrid
    /// The grid for made-up positions. Who may make them up could find a border of the other one by halving, in a
    /// dozen ticks.
    private let simulatedGrid: ReductionGrid
    /// The last tick that lay far in the past.
    private var doubted: Timestamp?

    /// The reducer of a machine.
    ///
    /// - Parameters:
    ///   - secret: 32 random bytes, always the same on this machine: a new secret is a new grid, and the cells of two
    ///     grids intersect in less than a cell. Another number of bytes is a programming error.
    ///   - state: What was kept. That of another secret, or one without sense, is ignored.
    public init(secret: [UInt8], state: State?) {
        precondition(secret.count == 32, "the secret has 32 bytes")
        let hash = SipHash(key: secret)
        grid = ReductionGrid(hash: hash, purpose: "")
        simulatedGrid = ReductionGrid(hash: hash, purpose: "simulated ")
        // Signed, as databases and JSON have their whole numbers.
        let mark = Int64(bitPattern: hash.hash("state".utf8))
        if let state, state.isValid(mark: mark) {
            self.state = state
        } else {
            self.state = State(mark: mark, settled: nil)
        }
    }

    /// The last reduced location: what "last known" means for every reduced app. `nil` before the first.
    ///
    /// It does not depend on fixes that settled no tick, whoever got them: an app that may have the location only
    /// roughly from now on loses the exact one.
    public var lastKnown: Location? {
        guard let settled = state.settled else { return nil }
        let (latitude, longitude) = ReductionGrid.centre(of: settled.cell)
        var location = Location(
            timestamp: settled.tick, latitude: latitude, longitude: longitude, simulated: settled.simulated)
        location.horizontalAccuracy = Self.horizontalAccuracy
        return location
    }

    /// Takes an exact fix.
    ///
    /// - Returns: The reduced location, if this fix settles a tick: the first good one at the tick or up to
    ///   ``settlingSeconds`` after it. A tick without such a fix is left out.
    public mutating func observe(_ location: Location) -> Location? {
        guard Self.isSensible(location) else { return nil }
        let tick = Self.tick(atOrBefore: location.timestamp)
        guard location.timestamp.seconds(since: tick) <= Double(Self.settlingSeconds),
            location.speed ?? 0 <= Self.greatestSpeed, location.horizontalAccuracy ?? 0 <= Self.worstAccuracy,
            isDue(tick)
        else { return nil }
        // A position on one grid is no reason to stay in a cell of the other.
        let old = state.settled.flatMap { $0.simulated == location.simulated ? $0.cell : nil }
        let grid = location.simulated ? simulatedGrid : grid
        let cell = grid.cell(latitude: location.latitude, longitude: location.longitude, staying: old)
        state.settled = State.Settled(
            row: cell.row, column: cell.column, tick: tick, simulated: location.simulated)
        return lastKnown
    }

    /// Whether a tick has not been settled yet, nor a later one.
    ///
    /// A clock that is set back would otherwise give more than 4 updates an hour, at moments between the ticks. But a
    /// receiver that once told a date years ahead (the week number of GPS rolls over) must not be the last that is
    /// heard. So a tick that lies far in the past counts when it follows right on another such tick: a quarter of an
    /// hour has gone by in silence, and the pace is kept. While the later ticks go on as well, they clear the doubt
    /// each time.
    private mutating func isDue(_ tick: Timestamp) -> Bool {
        guard let last = state.settled?.tick, tick <= last else {
            doubted = nil
            return true
        }
        guard last.seconds(since: tick) > Double(Self.clockDoubtSeconds) else { return false }
        guard let before = doubted, tick == Self.nextTick(after: before) else {
            doubted = tick
            return false
        }
        doubted = nil
        return true
    }

    private static func isSensible(_ location: Location) -> Bool {
        abs(location.latitude) <= 90 && abs(location.longitude) <= 180
            && years.contains(location.timestamp.millisecondsSince1970)
    }
}

extension AccuracyReducer {
    /// The years 0 to 9999, which a timestamp can be written of, in milliseconds since 1970.
    static let years: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The tick at a moment, or the last before it: ticks are the multiples of 15 minutes in UTC.
    ///
    /// A moment outside of the years 0 to 9999 is taken as the nearest one inside.
    public static func tick(atOrBefore moment: Timestamp) -> Timestamp {
        let milliseconds = min(max(moment.millisecondsSince1970, years.lowerBound), years.upperBound)
        let since = milliseconds % (Int64(tickSeconds) * 1000)
        return Timestamp(millisecondsSince1970: milliseconds - (since < 0 ? since + Int64(tickSeconds) * 1000 : since))
    }

    /// The first tick after a moment; a moment at a tick is followed by the next one.
    public static func nextTick(after moment: Timestamp) -> Timestamp {
        Timestamp(
            millisecondsSince1970: tick(atOrBefore: moment).millisecondsSince1970 + Int64(tickSeconds) * 1000)
    }
}

extension ReductionGrid {
    /// The grid of a machine.
    init(hash: SipHash, purpose: String) {
        shiftNorth = Self.fraction(hash.hash("\(purpose)north".utf8))
        shiftEast = Self.fraction(hash.hash("\(purpose)east".utf8))
    }

    /// The highest 53 bits as a number from -0.5 to below 0.5, all equally likely.
    private static func fraction(_ hash: UInt64) -> Double {
        Double(hash >> 11) / 0x20_0000_0000_0000 - 0.5
    }
}
