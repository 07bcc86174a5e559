internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
internal import Positioning
internal import Receivers

/// Publishes the locations of the reducer, and follows its plan.
protocol ReductionScheduleDelegate: AnyObject {
    /// Publishes the location that every app with reduced accuracy gets, after a quarter was settled.
    func publish(reduced location: Location)
    /// Publishes that a search has found that no receiver is available or, with `true`, that a later one has found a
    /// fix.
    func publish(availability isAvailable: Bool, to accuracy: AccuracyAuthorization)
    /// Updates the receivers' plan after a change of the reducer's.
    func reductionPlanChanged()
}

/// Produces the locations of all apps with reduced accuracy, with one reducer for the machine and its clock.
///
/// While such an app has a demand, the receivers run around each tick. If the demand begins in a quarter of an hour
/// that is not settled, they run for that quarter too. The location that settles a quarter is written to the disk,
/// and delivered only then. Confined to the event loop.
///
/// Attack: an app with reduced accuracy learns when the receiver has a fix again, and so when the device leaves a
/// garage. So the machine's clock alone begins and ends the searches, whatever the receiver does, and such apps learn
/// only whether receivers were available at the end of the last search.
final class ReductionSchedule {
    /// The time from opening the receivers to a tick, in seconds: enough for a warm start.
    static let lead = 30.0
    /// The time that they stay open after a tick for the fix that settles the quarter, in seconds. The fix is
    /// delivered at its end: no app is waiting, and the second of the fix does not show.
    static let tickSearchSeconds = 5.0
    /// The maximum age of a fix from before the demand that may settle a quarter, in seconds.
    static let freshSeconds = 5.0

    /// Publishes the settled quarters, and follows the plan.
    var delegate: (any ReductionScheduleDelegate)?
    /// Returns the remembered place of now, or `nil` if it is not known, or a receiver has a fix.
    var remembered: () -> Location? = { nil }
    /// A Boolean value indicating whether the receivers are needed, for a search or for the coming tick.
    private(set) var isWindowOpen = false

    private var reducer: AccuracyReducer?
    private let store: (AccuracyReducer.State, _ erasing: Bool) -> EventLoopFuture<Void>
    private let receivers: ReceiverControl
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    /// A Boolean value indicating whether no receiver was available at the end of the last search.
    private(set) var isUnavailable = false
    private var isWanted = false
    private var quarters: QuarterClock
    private var lateFixes = LateFixes()
    /// A Boolean value indicating whether the last settled location was made from a remembered place. No significant
    /// change is decided by it.
    private(set) var isOfMemory: Bool
    /// A Boolean value indicating whether the last fix was late.
    private var isLastFixLate = false
    /// The end of the search for the fix that settles a quarter. There is no search if it is `nil` or past.
    private var searchEnd: NIODeadline?
    /// The delivery time of a search at a tick, or `nil` for a search that an app waits for.
    private var delivery: NIODeadline?
    private let deliveryTimer: LoopTimer
    /// The state that the disk has, or will have once it is written.
    private var kept: AccuracyReducer.State?
    /// A Boolean value indicating whether the disk still has a cell that was forgotten. The next write erases it.
    private var isErasureDue = false
    /// The last settled location that is on the disk, with the time of its quarter's beginning.
    private(set) var settled: Location?
    private let timer: LoopTimer
    /// The timer that ends the time for recalling a cell.
    private let recallTimer: LoopTimer

    /// - Parameters:
    ///   - reducer: The reducer, or `nil` if there is no secret. Then nothing is delivered.
    ///   - store: Writes a state and, with `true`, erases the states before it. Succeeds once that is on the disk.
    init(
        _ reducer: AccuracyReducer?, receivers: ReceiverControl, on loop: any EventLoop,
        clock: @escaping () -> Timestamp, log: Logger,
        store: @escaping (AccuracyReducer.State, _ erasing: Bool) -> EventLoopFuture<Void>
    ) {
        self.reducer = reducer
        kept = reducer?.state
        settled = reducer?.lastKnown
        isOfMemory = reducer?.isOfMemory == true
        self.store = store
        self.receivers = receivers
        self.loop = loop
        timer = LoopTimer(on: loop)
        deliveryTimer = LoopTimer(on: loop)
        recallTimer = LoopTimer(on: loop)
        self.clock = clock
        self.log = log
        quarters = QuarterClock(at: receivers.time(by: clock), steady: receivers.time.seconds(at: loop.now))
    }

    /// The receiver plan that the reducer needs.
    var plan: ReceiverPlan { isWanted && isWindowOpen ? .continuous : .off }

    /// The last settled location as delivered now, at the start of a subscription, or `nil` if its quarter ended a
    /// quarter ago.
    var lastKnown: Location? {
        guard let settled else { return nil }
        let last = AccuracyReducer.delivered(settled, at: now)
        let age = now.seconds(since: last.timestamp)
        return age < Double(AccuracyReducer.tickSeconds) + Self.tickSearchSeconds ? last : nil
    }

    /// Returns the last settled location, as an immediate answer, if it is at most that many seconds old, or if this
    /// quarter brings no other. Returns `nil` otherwise.
    ///
    /// Attack: an app asks again and again after a tick. A quarter that is settled but not delivered yet must look like
    /// one that is searched, or the answer changes in the second of the fix.
    func lastKnown(maximumAge: Double) -> Location? {
        guard let reducer, let last = lastKnown else { return nil }
        if now.seconds(since: last.timestamp) <= maximumAge { return last }
        advance(to: now)
        let isAwaited = isSearching || settled != reducer.lastKnown
        return !isAwaited && reducer.isSearched(at: quarters.tick) ? last : nil
    }

    /// Sets whether any app with reduced accuracy has a demand.
    func setNeeded(_ wanted: Bool) {
        guard wanted != isWanted else { return }
        isWanted = wanted
        guard wanted else {
            timer.cancel()
            isWindowOpen = false
            return keepSearch()
        }
        setUnavailable(false)
        recall()
        if !isSearching { searchEnd = nil }
        beginSearch(at: now)
        follow(at: now)
        // An existing fix saves the receivers the work.
        if isSearching, !isLastFixLate, let last = receivers.lastFix, let age = receivers.ageOfLastFix,
            age <= Self.freshSeconds
        {
            let arrival = arrival(of: last.fix.location, ago: age)
            guard AccuracyReducer.tick(atOrBefore: arrival) == quarters.tick else { return }
            settle(with: last.fix.location, at: arrival)
        }
    }

    /// A Boolean value indicating whether there is a cell to forget, in memory or on the disk.
    var hasCell: Bool { reducer?.state.hasCell == true || isErasureDue }

    /// A Boolean value indicating whether this quarter is settled or was already searched.
    var isQuarterSearched: Bool { reducer?.isSearched(at: quarters.tick) == true }

    /// Forgets the last cell, its pending delivery and the search that is under way: this quarter brings no other cell.
    /// Does nothing if there is no cell. Succeeds once nothing of the cell is on the disk.
    ///
    /// If that fails, the cell is forgotten in memory, and the next write erases it.
    ///
    /// - Parameter mayRecall: A Boolean value indicating whether ``recall()`` may bring the cell back while its quarter
    ///   lasts. It is then kept in memory, where the receivers' last fix is too.
    func forget(mayRecall: Bool = false) -> EventLoopFuture<Void> {
        guard hasCell || !mayRecall && canRecall, let state = forgottenState(mayRecall: mayRecall) else {
            return loop.makeSucceededVoidFuture()
        }
        settled = nil
        (searchEnd, delivery) = (nil, nil)
        deliveryTimer.cancel()
        isErasureDue = true
        let written = write(state)
        if isWanted {
            follow(at: now)
            delegate?.reductionPlanChanged()
        }
        return written
    }

    /// Makes the reducer forget its cell. Returns its new state, or `nil` if there is no reducer.
    private func forgottenState(mayRecall: Bool) -> AccuracyReducer.State? {
        advance(to: now)
        // A cell that was not delivered yet would be a second look if it came at another moment.
        let isKnown = reducer?.state.hasCell != true || settled == reducer?.lastKnown
        reducer?.forget(at: quarters.tick, mayRecall: mayRecall && isKnown)
        if canRecall {
            recallTimer.set(in: time(quarters.secondsUntilNext(after: now, steady: steady))) {
                self.reducer?.endRecall()
            }
        }
        return reducer?.state
    }

    /// A Boolean value indicating whether there is a forgotten cell that may be recalled.
    var canRecall: Bool { reducer?.canRecall == true }

    /// Delivers the forgotten cell of this quarter once it is on the disk again, because an app may have it again. Does
    /// nothing if there is none.
    func recall() {
        guard canRecall else { return }
        recallTimer.cancel()
        advance(to: now)
        if let reduced = reducer?.recall(at: quarters.tick) { keep(reduced) }
    }

    /// Stops settling quarters: the service is stopping.
    func stop() {
        timer.cancel()
        deliveryTimer.cancel()
        recallTimer.cancel()
    }

    /// Handles a wall clock that was set, or a sleep of the machine: this may be an unsearched quarter.
    func clockChanged() {
        guard isWanted else { return }
        beginSearch(at: now)
        follow(at: now)
        delegate?.reductionPlanChanged()
    }

    /// Handles a full-accuracy fix that counts and has just arrived, at `receivedAt` by a clock that runs while the
    /// machine sleeps.
    func observe(_ publication: Publication, receivedAt: NIODeadline) {
        isLastFixLate = isLate(publication, receivedAt: receivedAt)
        guard isWanted else { return }
        let location = publication.location
        let now = arrival(of: location, ago: 0)
        // The timer that begins the search at a tick may be late.
        beginTickSearch(at: now)
        if isSearching, !isLastFixLate { settle(with: location, at: now) }
    }

    /// Handles a remembered place of now, because no receiver has a fix. If none is available, it settles a quarter
    /// that is searched.
    ///
    /// Attack: the networks of a remembered place are imitated. The place, which is known at once, would end each
    /// search before the receivers have a fix. So it settles the quarter only at the end of the search otherwise.
    func observe(remembered location: Location) {
        guard isWanted else { return }
        beginTickSearch(at: now)
        if isSearching, receivers.isUnavailable { settle(with: location, at: now) }
    }

    private func isLate(_ publication: Publication, receivedAt: NIODeadline) -> Bool {
        let time = receivers.time
        guard !time.playsRecording else { return false }
        var fixes = lateFixes
        defer { lateFixes = fixes }
        return fixes.isLate(publication.location.timestamp, at: time.seconds(at: receivedAt), clock: clock())
    }

    private func settle(with location: Location, at arrival: Timestamp) {
        guard let reduced = reducer?.reduce(location, at: arrival) else { return }
        searchEnd = nil
        keep(reduced)
        follow(at: now)
        delegate?.reductionPlanChanged()
    }

    /// Writes the state with a location, which is delivered once that is on the disk.
    ///
    /// Attack: a state that is delivered but not kept differs after a restart, with a cell of its own.
    private func keep(_ reduced: Location) {
        guard let state = reducer?.state else { return }
        write(state).assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.deliver(reduced)
            case .failure(let error):
                self.log.error("a reduced location could not be written, and is not delivered: \(error)")
            }
        }
    }

    private func deliver(_ reduced: Location) {
        // It may have been forgotten or replaced while it was written or waited.
        guard reducer?.lastKnown == reduced else { return }
        if let delivery, delivery > loop.now { return deliveryTimer.set(at: delivery) { self.deliver(reduced) } }
        settled = reduced
        isOfMemory = reducer?.isOfMemory == true
        setUnavailable(false)
        delegate?.publish(reduced: AccuracyReducer.delivered(reduced, at: now))
    }

    private var now: Timestamp { receivers.time(by: clock) }

    /// Returns the time when a fix arrived, that many seconds ago.
    private func arrival(of location: Location, ago seconds: Double) -> Timestamp {
        guard !receivers.time.playsRecording else { return location.timestamp }
        return Timestamp(millisecondsSince1970: clock().millisecondsSince1970 - Int64(seconds * 1000))
    }

    /// The seconds of a clock that is never set and runs while the machine sleeps.
    private var steady: Double { receivers.time.seconds(at: receivers.time.steady(loop.now)) }

    private var isSearching: Bool { searchEnd.map { $0 > loop.now } ?? false }

    /// Begins the quarter that contains `now`, if it is time. A recording has only its own clock, which jumps.
    private func advance(to now: Timestamp) {
        if receivers.time.playsRecording {
            quarters = QuarterClock(at: now, steady: steady)
        } else {
            quarters.advance(to: now, steady: steady)
        }
    }

    /// Begins the search of an app that waits for the first fix, unless the quarter has had one.
    private func beginSearch(at now: Timestamp) {
        advance(to: now)
        guard reducer?.beginSearch(at: quarters.tick) == true else { return }
        searchEnd = loop.now + time(AccuracyReducer.searchSeconds)
        delivery = nil
    }

    /// Begins the search at a tick, unless the quarter has had one.
    private func beginTickSearch(at now: Timestamp) {
        advance(to: now)
        guard reducer?.beginSearch(at: quarters.tick) == true else { return }
        let end = loop.now + time(Self.tickSearchSeconds)
        // A search that began shortly before the tick continues.
        if isSearching, let searchEnd, searchEnd > end { return }
        searchEnd = end
        delivery = end
    }

    /// Ends a search that has found no fix, if its time is over. The place that the machine remembers settles it.
    ///
    /// Attack: a lost receiver gets a fix between two searches, and is back, without a fix, for the second one. So only
    /// a search that finds a fix ends a loss found by an earlier search.
    private func endSearch(at now: Timestamp) {
        guard searchEnd != nil, !isSearching else { return }
        searchEnd = nil
        if let place = remembered() { return settle(with: place, at: now) }
        if receivers.isUnavailable { setUnavailable(true) }
    }

    private func setUnavailable(_ unavailable: Bool) {
        guard unavailable != isUnavailable else { return }
        isUnavailable = unavailable
        delegate?.publish(availability: !unavailable, to: .reduced)
    }

    /// Opens the window for a search and before the next tick, and closes it afterwards.
    private func follow(at now: Timestamp) {
        beginTickSearch(at: now)
        if isSearching, receivers.isUnavailable, let place = remembered() { settle(with: place, at: now) }
        endSearch(at: now)
        if !isSearching { keepSearch() }
        let untilTick = quarters.secondsUntilNext(after: now, steady: steady)
        isWindowOpen = isSearching || untilTick <= Self.lead
        var wait = time(untilTick > Self.lead ? untilTick - Self.lead : untilTick)
        if isSearching, let searchEnd { wait = min(wait, searchEnd - loop.now) }
        timer.set(in: max(wait, .milliseconds(10))) {
            self.follow(at: self.now)
            self.delegate?.reductionPlanChanged()
        }
    }

    /// Returns the machine's time that so many seconds of the receivers' own time take.
    private func time(_ seconds: Double) -> TimeAmount { receivers.time.amount(seconds: seconds) }

    /// Writes that a quarter was searched without a fix.
    ///
    /// Attack: an app lets the daemon end, as it does when it is idle, to get another search in the same quarter.
    private func keepSearch() {
        guard let state = reducer?.state, state != kept else { return }
        write(state).assumeIsolated().whenFailure { error in
            self.log.error("a search for a reduced location could not be written: \(error)")
        }
    }

    /// Writes the state. A cell that it replaces is erased from the journal too.
    ///
    /// Attack: a thief gets the disk, and reads the cells of days from the journal: a track.
    private func write(_ state: AccuracyReducer.State) -> EventLoopFuture<Void> {
        let isErasing = isErasureDue || kept.map(state.isWithoutCell) ?? false
        kept = state
        let written = store(state, isErasing)
        guard isErasing else { return written }
        written.assumeIsolated().whenComplete { result in
            if case .success = result { self.isErasureDue = false } else { self.isErasureDue = true }
        }
        return written
    }
}
