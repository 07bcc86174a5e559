public import LocationModel

/// Makes the location that apps get which may have it only roughly.
///
/// There is one for the whole machine. What all of those apps together learn, however long they watch, is once in each
/// quarter of an hour the cell of 5 km that the device is in, seen through a shift that they do not know. A quarter is
/// settled at its beginning (a tick) if any app wants it then, else by the first good fix after one begins to want it:
/// nobody waits for the clock. Each rule is there against an attack:
///
/// * *Averaging.* Noise added to each fix averages out over a night. Here nothing is drawn anew: a cell has one
///   centre, and while the device is in it each update has the same bytes.
/// * *Border crossings.* On a grid with known borders each change of the cell says that the device is on a line. Here
///   the borders are hidden by a shift (see ``ReductionGrid``), the cell changes only some way beyond them, and at
///   most once in a quarter.
/// * *Moments of the attacker's choice.* An app that subscribes and leaves at will chooses when a quarter is settled,
///   but not how often: ten apps have one choice together. What it reads off the border is what the shift hides.
/// * *The open sky.* A fix that an app waits for comes as the device leaves a garage, a tunnel or a house, and where
///   that is can be looked up. So a quarter is searched in once, for ``searchSeconds`` from when it was first wanted;
///   where that brought no fix, the quarter is left out.
/// * *Drifting shifts.* A shift that is drawn anew now and then sweeps the borders across the home of a device that
///   rests there; the moments of change then give its coordinates away. This one comes from the machine's secret and
///   never changes.
/// * *Collusion, resubscribing, reset, restart.* A second reducer, a second state or a new secret would be a second
///   grid to cut the first one's cells with. All apps share this one, and its state is kept.
/// * *Timing.* Updates that come with movement tell when and how fast the device moves. Each quarter that has a fix
///   when it is searched for is told, at rest as in movement: with the tick's own time at a tick, else in whole
///   seconds, as fractions would be the receiver's.
/// * *Accuracy.* A receiver's accuracy tells streets from fields, and garages from streets. Here it is a constant.
///
/// What the cells say by themselves is not hidden. Who has had the exact location on the way knows the
/// borders; who besides knows the road and, to some minutes, when the device set out learns how far along that road it
/// set out from.
public struct AccuracyReducer: Sendable {
    /// From one tick to the next, in seconds: 4 an hour.
    public static let tickSeconds = 900
    /// A fix so long after a tick is told with the tick's time, in seconds: receivers that give one a second have three
    /// chances.
    public static let settlingSeconds = 2
    /// How long a quarter is searched in for a fix after an app begins to want it, in seconds: about the time of a cold
    /// start.
    public static let searchSeconds = 60.0
    /// The greatest speed at which a fix settles a quarter, in metres a second: beyond any airliner's over ground.
    public static let greatestSpeed = 360.0
    /// The worst accuracy of a fix that settles a quarter, in metres, 68 %. One that does not say how accurate it is
    /// counts as good.
    public static let worstAccuracy = 40.0
    /// The horizontal accuracy of every reduced location, in metres: the device was not further from it at the
    /// location's timestamp.
    ///
    /// 7572 m from the farthest corner of a cell, its margin included, to the centre that is told; 720 m that a
    /// device at the greatest speed moves in the longest time from a timestamp to its fix, which is
    /// ``settlingSeconds``; 200 m, five times the worst accuracy; rounded up. The sum is 8492 m.
    public static let horizontalAccuracy = 8500.0
    /// A quarter that is further in the past than this, in seconds, may be a sign that the last one was told by a wrong
    /// clock.
    public static let clockDoubtSeconds = 86_400

    /// What is kept over restarts.
    public private(set) var state: State

    let grid: ReductionGrid
    /// The grid for made-up positions. Who may make them up could find a border of the other one by halving, in a
    /// dozen ticks.
    private let simulatedGrid: ReductionGrid
    /// The beginning of the last quarter that lay far in the past.
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
    /// It does not depend on fixes that settled nothing, whoever got them: an app that may have the location only
    /// roughly from now on loses the exact one.
    public var lastKnown: Location? {
        guard let settled = state.settled else { return nil }
        let (latitude, longitude) = ReductionGrid.centre(of: settled.cell)
        var location = Location(
            timestamp: settled.moment, latitude: latitude, longitude: longitude, simulated: settled.simulated)
        location.horizontalAccuracy = Self.horizontalAccuracy
        return location
    }

    /// Begins the search for the fix that settles the quarter of an hour that `now` is in.
    ///
    /// Attack: an app subscribes again and again until the device is under open sky, and so learns when it drove out of
    /// a garage. A quarter is searched in once, whoever asks.
    ///
    /// - Returns: Whether there is a search: `false` where the quarter is settled, or was searched in before.
    public mutating func beginSearch(at now: Timestamp) -> Bool {
        let tick = Self.tick(atOrBefore: now)
        guard tick != state.searched, !isSettled(tick) else { return false }
        state.searched = tick
        return true
    }

    /// Returns whether nothing can settle the quarter that `now` is in but the search that was begun, if that goes on.
    public func isSearched(at now: Timestamp) -> Bool {
        let tick = Self.tick(atOrBefore: now)
        return tick == state.searched || isSettled(tick)
    }

    private func isSettled(_ tick: Timestamp) -> Bool {
        guard let last = state.settled?.tick, tick <= last else { return false }
        return last.seconds(since: tick) <= Double(Self.clockDoubtSeconds)
    }

    /// Takes an exact fix. The caller passes those of a search, while any app wants one.
    ///
    /// - Returns: The reduced location, if this fix settles its quarter: the first good one. Its timestamp is the tick
    ///   for a fix up to ``settlingSeconds`` after it, else the whole second of the fix.
    public mutating func observe(_ location: Location) -> Location? {
        guard Self.isSensible(location), location.speed ?? 0 <= Self.greatestSpeed,
            location.horizontalAccuracy ?? 0 <= Self.worstAccuracy,
            isDue(Self.tick(atOrBefore: location.timestamp))
        else { return nil }
        // A position on one grid is no reason to stay in a cell of the other.
        let old = state.settled.flatMap { $0.simulated == location.simulated ? $0.cell : nil }
        let grid = location.simulated ? simulatedGrid : grid
        let cell = grid.cell(latitude: location.latitude, longitude: location.longitude, staying: old)
        state.settled = State.Settled(
            row: cell.row, column: cell.column, moment: Self.moment(of: location.timestamp),
            simulated: location.simulated)
        return lastKnown
    }

    /// The moment that is told of a fix of that time.
    private static func moment(of time: Timestamp) -> Timestamp {
        let tick = tick(atOrBefore: time)
        let milliseconds = time.millisecondsSince1970 - tick.millisecondsSince1970
        guard milliseconds > Int64(settlingSeconds) * 1000 else { return tick }
        return Timestamp(millisecondsSince1970: time.millisecondsSince1970 - milliseconds % 1000)
    }

    /// Returns whether a quarter has not been settled yet, nor a later one.
    ///
    /// A clock that is set back would otherwise give more than 4 updates an hour. But a receiver that once told a date
    /// years ahead (the week number of GPS rolls over) must not be the last that is heard. So a quarter that lies far in
    /// the past counts when it follows on another such quarter: some time has gone by in silence, and the pace is kept.
    /// While the later ones go on as well, they clear the doubt each time.
    private mutating func isDue(_ tick: Timestamp) -> Bool {
        guard let last = state.settled?.tick, tick <= last else {
            doubted = nil
            return true
        }
        guard !isSettled(tick) else { return false }
        guard let before = doubted, tick > before else {
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

    /// The tick at a moment, or the last before it, with which its quarter begins: ticks are the multiples of 15 minutes
    /// in UTC.
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
