public import LocationModel

/// Produces the location for apps with reduced accuracy.
///
/// There is one reducer for the whole machine. However long they watch, all apps with reduced accuracy together learn
/// one thing in each quarter of an hour: the 5 km cell of the device, seen through a shift that they do not know. A
/// quarter is settled at its beginning (a tick) if an app wants a location then, otherwise by the first good fix after
/// an app begins to want one, so that no app waits for the clock. Each rule stops an attack:
///
/// * *Averaging.* Noise added to each fix averages out over a night. Here nothing is drawn again: a cell has one
///   centre, and every update within the cell has the same coordinates.
/// * *Border crossings.* On a grid with known borders, each change of the cell reveals that the device is on a
///   line. Here a shift hides the borders (see ``ReductionGrid``), and the cell changes only some way beyond them,
///   at most once in a quarter.
/// * *Moments of the attacker's choice.* An app that subscribes and leaves at will chooses when a quarter is
///   settled, but not how often: ten apps together have one choice. Everything that it learns about a border is
///   relative to the hidden shift.
/// * *The open sky.* A fix that an app waits for arrives as the device leaves a garage, a tunnel or a house, whose
///   position can be looked up. So a quarter is searched once, for at most ``searchSeconds``. If that finds no fix,
///   the quarter is skipped. The receiver does not influence when a search begins and ends: the machine's clock
///   decides (see ``QuarterClock``), never the time of a fix, and no late fix counts (see ``LateFixes``).
/// * *Drifting shifts.* A shift that is drawn again now and then sweeps the borders across the home of a stationary
///   device; the moments of change then give its coordinates away. This shift comes from the machine's secret and
///   never changes.
/// * *Collusion, resubscribing, reset, restart.* A second reducer, a second state or a new secret would be a second
///   grid, and intersecting its cells with the first grid's would narrow them down. All apps share this reducer,
///   and its state survives restarts.
/// * *Forgetting.* The last cell is forgotten when no app may have it any more, or because a user requests it (see
///   ``forget(at:mayRecall:)``). A quarter that an app has already seen stays settled, so forgetting gains no second
///   look: at most the same cell comes back (see ``recall(at:)``).
/// * *Timing.* Updates that come with movement reveal when and how fast the device moves. Here every quarter whose
///   search finds a fix is reported, whether the device is stationary or not. The timestamp is the time of the
///   delivery (see ``delivered(_:at:)``), which the app knows anyway.
/// * *Accuracy.* A receiver's accuracy distinguishes streets from fields, and garages from streets. Here it is a
///   constant.
///
/// The cells themselves are not hidden. An app that had full accuracy on the way knows the borders. If it also
/// knows the road and, to within some minutes, when the device set out, it learns how far along that road the
/// device started.
public struct AccuracyReducer: Sendable {
    /// The time from one tick to the next, in seconds: 4 ticks an hour.
    public static let tickSeconds = 900
    /// The longest search of a quarter after an app begins to want a location, in seconds: about the duration of a cold
    /// start.
    public static let searchSeconds = 60.0
    /// The greatest speed of a fix that settles a quarter, in metres per second: above the ground speed of any
    /// airliner.
    public static let greatestSpeed = 360.0
    /// The worst accuracy of a fix that settles a quarter, in metres, 68 %. A fix of unknown accuracy counts as good.
    public static let worstAccuracy = 40.0
    /// The same for a remembered place. It is no older than its delivery, so the part of ``horizontalAccuracy`` for the
    /// way of a device suffices for it.
    private static func worstAccuracy(of quality: LocationQuality?) -> Double {
        quality == .remembered ? PlaceMemory.greatestRadius : worstAccuracy
    }
    /// The horizontal accuracy of every reduced location, in metres. When the fix that settled the location's quarter
    /// arrived, at most a quarter of an hour before the location's timestamp, the device was no further than this from
    /// it.
    ///
    /// It is the sum of three parts, 8492 m, rounded up. 7572 m are the distance from the reported centre to the
    /// farthest corner of a cell, including the margin. 720 m are the way of a device at the greatest speed between the
    /// moment of a fix and its arrival, for the longest time between them, ``LateFixes/clockToleranceSeconds``. 200 m
    /// are five times the worst accuracy.
    public static let horizontalAccuracy = 8500.0
    /// The lead of the last settled quarter over the present one, in seconds, beyond which a wrong clock may have
    /// settled it.
    public static let wrongClockSeconds = 86_400

    /// The state that survives restarts.
    public private(set) var state: State

    let grid: ReductionGrid
    /// The grid for simulated positions.
    ///
    /// Attack: a user who can simulate positions could find a border of the other grid by bisection, within a dozen
    /// ticks.
    private let simulatedGrid: ReductionGrid
    /// The beginning of the last quarter that lay far in the past.
    private var doubted: Timestamp?
    /// The forgotten cell of the last settled quarter, which may be recalled. It is not part of the state that is kept.
    private var recallable: State.Settled?

    /// Creates the reducer of a machine.
    ///
    /// - Parameters:
    ///   - secret: 32 random bytes, always the same on this machine: a new secret is a new grid, and the cells of
    ///     two grids intersect in less than a cell. Any other number of bytes is a programming error.
    ///   - state: The saved state, if there is one. A state that belongs to another secret or is invalid is ignored.
    public init(secret: [UInt8], state: State?) {
        precondition(secret.count == 32, "the secret has 32 bytes")
        let hash = SipHash(key: secret)
        grid = ReductionGrid(hash: hash, purpose: "")
        simulatedGrid = ReductionGrid(hash: hash, purpose: "simulated ")
        // Signed, like the integers of databases and JSON.
        let mark = Int64(bitPattern: hash.hash("state".utf8))
        if let state, state.isValid(mark: mark) {
            self.state = state
        } else {
            self.state = State(mark: mark, settled: nil)
        }
    }

    /// The last reduced location, with the time of its quarter's beginning, or `nil` before the first one. It is the
    /// "last known" location of every app with reduced accuracy.
    ///
    /// Fixes that settled no quarter do not influence it, whichever app received them: an app that loses full accuracy
    /// also loses the full-accuracy location.
    public var lastKnown: Location? {
        guard let settled = state.settled else { return nil }
        let (latitude, longitude) = ReductionGrid.centre(of: settled.cell)
        var location = Location(
            timestamp: Self.tick(atOrBefore: settled.tick), latitude: latitude, longitude: longitude,
            simulated: settled.simulated)
        location.horizontalAccuracy = Self.horizontalAccuracy
        return location
    }

    /// A Boolean value indicating whether the last reduced location was made from a remembered place.
    public var isOfMemory: Bool { state.settled?.isOfMemory == true }

    /// Begins the search for the fix that settles the quarter of an hour that contains `now`.
    ///
    /// Attack: an app subscribes again and again until the device is under the open sky, and so learns when it drove
    /// out of a garage. So a quarter is searched only once, whichever app wants it.
    ///
    /// - Returns: `true` if a search begins; `false` if the quarter is settled or was already searched.
    public mutating func beginSearch(at now: Timestamp) -> Bool {
        let tick = Self.tick(atOrBefore: now)
        guard !isSearched(tick), !isSettled(tick) else { return false }
        state.searched = tick
        return true
    }

    /// Returns whether the quarter that contains `now` is settled or was already searched. In the latter case, only
    /// that search can still settle it while it lasts.
    public func isSearched(at now: Timestamp) -> Bool {
        let tick = Self.tick(atOrBefore: now)
        return isSearched(tick) || isSettled(tick)
    }

    /// Returns whether the quarter or a later one was searched: a clock that is set back does not start a second
    /// search.
    private func isSearched(_ tick: Timestamp) -> Bool { isReached(tick, by: state.searched) }

    private func isSettled(_ tick: Timestamp) -> Bool { isReached(tick, by: state.lastSettled) }

    /// Returns whether `tick` is not after `last`. If `tick` is far before `last`, the clock was wrong, and `last` does
    /// not count.
    private func isReached(_ tick: Timestamp, by last: Timestamp?) -> Bool {
        guard let last, tick <= last else { return false }
        return last.seconds(since: tick) <= Double(Self.wrongClockSeconds)
    }

    /// Consumes a full-accuracy fix that has arrived at `now`. The caller passes the fixes of a search, except late
    /// ones, while any app wants a reduced location.
    ///
    /// - Returns: The reduced location if this is the first good fix of its quarter and settles it, otherwise
    ///   `nil`. Its timestamp is the beginning of the quarter.
    public mutating func reduce(_ location: Location, at now: Timestamp) -> Location? {
        guard Self.isSensible(location, at: now), location.speed ?? 0 <= Self.greatestSpeed,
            location.horizontalAccuracy ?? 0 <= Self.worstAccuracy(of: location.quality),
            isDue(Self.tick(atOrBefore: now))
        else { return nil }
        // A position on one grid is not a reason to stay in a cell of the other grid.
        let old = state.settled.flatMap { $0.simulated == location.simulated ? $0.cell : nil }
        let grid = location.simulated ? simulatedGrid : grid
        let cell = grid.cell(latitude: location.latitude, longitude: location.longitude, staying: old)
        state.settled = State.Settled(
            row: cell.row, column: cell.column, tick: Self.tick(atOrBefore: now), simulated: location.simulated,
            isOfMemory: location.quality == .remembered ? true : nil)
        state.forgotten = nil
        recallable = nil
        return lastKnown
    }

    /// Forgets the last cell. The next quarter is settled as by a new reducer.
    ///
    /// Attack: an app has the cell forgotten in the middle of a quarter, and gets a second look at the device in it. So
    /// a quarter that was searched or settled counts as settled from then on, and a search in progress settles nothing
    /// any more. A quarter that no app has wanted yet can still be searched once.
    ///
    /// The cell also records which side of a border the device came from. Without it, apps learn nothing new: as with
    /// the first cell of a machine, a cell depends on nothing but the sum of position and shift, once a quarter. Apps
    /// do not choose when to forget: it takes a user's decision each time. Suppose that a user makes one in each of
    /// many quarters, while the device stands so close to a border that its receiver's noise crosses it. An app that is
    /// granted reduced accuracy each time then notices this, but still does not learn where the border runs.
    ///
    /// - Parameter mayRecall: A Boolean value indicating whether ``recall(at:)`` may bring back the cell while its
    ///   quarter lasts. Pass `true` only if apps have got the cell, and no user requests that it be forgotten.
    public mutating func forget(at now: Timestamp, mayRecall: Bool = false) {
        let tick = Self.tick(atOrBefore: now)
        // After the clock was set back, the quarters up to the last one stay settled.
        let last = isSettled(tick) ? state.lastSettled : isSearched(tick) ? tick : nil
        if let settled = state.settled, settled.tick == last { recallable = settled }
        if !mayRecall { recallable = nil }
        state.settled = nil
        state.forgotten = last
        doubted = nil
    }

    /// A Boolean value indicating whether there is a forgotten cell that may be recalled.
    public var canRecall: Bool { recallable != nil }

    /// Forgets the cell that may be recalled.
    public mutating func endRecall() { recallable = nil }

    /// Brings back the forgotten cell of this quarter, because an app may have it again. Without that, an app whose
    /// user changes between full and reduced accuracy would get no location for the rest of the quarter.
    ///
    /// Apps learn what they would have learned if the cell had not been forgotten, as it is not while another app has
    /// reduced accuracy: the one cell of this quarter. So a user's decisions, however many, bring neither a second look
    /// at the device nor a search. A quarter that was searched without a fix therefore brings no cell in any case, nor
    /// does one whose search was under way.
    ///
    /// - Returns: The location with the time of its quarter's beginning, or `nil` if there is no such cell.
    public mutating func recall(at now: Timestamp) -> Location? {
        defer { recallable = nil }
        guard let cell = recallable, state.forgotten == cell.tick, isSettled(Self.tick(atOrBefore: now)) else {
            return nil
        }
        state.settled = cell
        state.forgotten = nil
        return lastKnown
    }

    /// Returns a reduced location as it is delivered: with the time of the delivery, or with the last millisecond of
    /// its quarter if the quarter is over. In this way, apps that want no old location still get one, and a machine
    /// without fixes does not look as if it had some.
    ///
    /// Attack: an app compares the timestamp with the time of the delivery, to learn when the receiver had its fix. The
    /// timestamp depends on nothing but the time of the delivery and the quarter.
    public static func delivered(_ location: Location, at now: Timestamp) -> Location {
        let tick = tick(atOrBefore: location.timestamp)
        var location = location
        let end = Timestamp(millisecondsSince1970: nextTick(after: tick).millisecondsSince1970 - 1)
        location.timestamp = min(max(now, tick), end)
        return location
    }

    /// Returns whether a reducer has produced a location: whether it is the centre of a cell, with nothing else.
    ///
    /// Attack: a fix with full accuracy has the accuracy of a reduced location, by chance or because its receiver says
    /// so.
    public static func isReduced(_ location: Location) -> Bool {
        guard let cell = ReductionGrid.cell(aroundCentre: (location.latitude, location.longitude)) else { return false }
        let centre = ReductionGrid.centre(of: cell)
        var reduced = Location(
            timestamp: location.timestamp, latitude: centre.latitude, longitude: centre.longitude,
            simulated: location.simulated)
        reduced.horizontalAccuracy = horizontalAccuracy
        // Decimals are written with 9 places.
        let distance = max(abs(location.latitude - centre.latitude), abs(location.longitude - centre.longitude))
        (reduced.latitude, reduced.longitude) = (location.latitude, location.longitude)
        return distance < 1e-8 && location == reduced
    }

    /// Returns whether neither this quarter nor a later one has been settled yet.
    ///
    /// Without this check, a clock that is set back would produce more than 4 updates an hour. But one date that is
    /// years ahead must not silence the reducer. So a quarter in the far past counts if it follows another such
    /// quarter: a quarter has then passed without an update, and the rate is kept. Each later quarter in between clears
    /// the doubt.
    private mutating func isDue(_ tick: Timestamp) -> Bool {
        guard let last = state.lastSettled, tick <= last else {
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

    private static func isSensible(_ location: Location, at now: Timestamp) -> Bool {
        abs(location.latitude) <= 90 && abs(location.longitude) <= 180 && years.contains(now.millisecondsSince1970)
    }
}

extension AccuracyReducer {
    /// The years 0 to 9999, in milliseconds since 1970. Timestamps can be written for these years.
    static let years: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Returns the tick at `moment`, or the last one before it: the beginning of its quarter. Ticks are the
    /// multiples of 15 minutes in UTC.
    ///
    /// A moment outside the years 0 to 9999 is clamped to the nearest moment inside.
    public static func tick(atOrBefore moment: Timestamp) -> Timestamp {
        let milliseconds = min(max(moment.millisecondsSince1970, years.lowerBound), years.upperBound)
        let since = milliseconds % (Int64(tickSeconds) * 1000)
        return Timestamp(millisecondsSince1970: milliseconds - (since < 0 ? since + Int64(tickSeconds) * 1000 : since))
    }

    /// Returns the first tick after `moment`. If `moment` is a tick itself, returns the next one.
    public static func nextTick(after moment: Timestamp) -> Timestamp {
        Timestamp(
            millisecondsSince1970: tick(atOrBefore: moment).millisecondsSince1970 + Int64(tickSeconds) * 1000)
    }
}

extension ReductionGrid {
    /// Creates the grid of a machine.
    init(hash: SipHash, purpose: String) {
        shiftNorth = Self.fraction(hash.hash("\(purpose)north".utf8))
        shiftEast = Self.fraction(hash.hash("\(purpose)east".utf8))
    }

    /// Returns the highest 53 bits as a number from -0.5 to below 0.5, all equally likely.
    private static func fraction(_ hash: UInt64) -> Double {
        Double(hash >> 11) / 0x20_0000_0000_0000 - 0.5
    }
}
