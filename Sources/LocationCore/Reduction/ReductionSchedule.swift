internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
internal import Positioning
internal import Receivers

/// Produces the locations of all apps with reduced accuracy, with one reducer for the machine and its clock.
///
/// While such an app has a demand, the receivers run around each tick. If the demand begins in a quarter of an hour
/// that is not settled, they run for that quarter too. The location that settles a quarter is written to the disk,
/// and delivered only then. Confined to the event loop.
final class ReductionSchedule {
    /// The time before a tick at which the receivers are opened, in seconds: that of a warm start.
    static let lead = 30.0
    /// The time after a tick for which they stay open for the fix that settles the quarter, in seconds.
    static let tickSearchSeconds = 5.0
    /// The maximum age of a fix from before the demand that may settle a quarter, in seconds.
    static let freshSeconds = 5.0

    /// Called when a quarter was settled, with the location that every app with reduced accuracy gets.
    var onSettled: ((Location) -> Void)?
    /// Called when the plan has changed.
    var onPlanChanged: (() -> Void)?
    /// A Boolean value indicating whether the receivers are needed, for a search or for the coming tick.
    private(set) var isWindowOpen = false

    private var reducer: AccuracyReducer?
    private let store: Store
    private let receivers: ReceiverControl
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private var isWanted = false
    /// The end of the search for the fix that settles a quarter. There is no search if it is `nil` or past.
    private var searchEnd: NIODeadline?
    /// The state that the disk has, or will have once it is written.
    private var kept: AccuracyReducer.State?
    /// The last settled location that is on the disk.
    private var settled: Location?
    private let timer: LoopTimer

    /// - Parameter reducer: The reducer, or `nil` if there is no secret. Then nothing is delivered.
    init(
        _ reducer: AccuracyReducer?, store: Store, receivers: ReceiverControl, on loop: any EventLoop,
        clock: @escaping () -> Timestamp, log: Logger
    ) {
        self.reducer = reducer
        kept = reducer?.state
        settled = reducer?.lastKnown
        self.store = store
        self.receivers = receivers
        self.loop = loop
        timer = LoopTimer(on: loop)
        self.clock = clock
        self.log = log
    }

    /// The receiver plan that the reducer needs.
    var plan: ReceiverPlan { isWanted && isWindowOpen ? .continuous : .off }

    /// The last settled location, with which a subscription begins, or `nil` if it is older than a quarter.
    var lastKnown: Location? {
        guard let last = settled else { return nil }
        let age = now.seconds(since: last.timestamp)
        return age < Double(AccuracyReducer.tickSeconds) + Self.tickSearchSeconds ? last : nil
    }

    /// Returns the last settled location, which answers a call at once, if it is at most that many seconds old, or if
    /// this quarter brings no other. Returns `nil` otherwise.
    func lastKnown(maximumAge: Double) -> Location? {
        guard let reducer, let last = lastKnown, last == reducer.lastKnown else { return nil }
        if now.seconds(since: last.timestamp) <= maximumAge { return last }
        return !isSearching && reducer.isSearched(at: now) ? last : nil
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
        follow(at: now, searchingFor: AccuracyReducer.searchSeconds)
        // A fix that is there anyway saves the receivers the work.
        if isSearching, let last = receivers.lastFix, let age = receivers.ageOfLastFix, age <= Self.freshSeconds,
            AccuracyReducer.tick(atOrBefore: last.fix.location.timestamp) == AccuracyReducer.tick(atOrBefore: now)
        {
            settle(with: last.fix.location, at: now)
        }
    }

    /// Settles nothing any more: the service is stopping.
    func stop() {
        timer.cancel()
    }

    /// Handles a wall clock that was set, or a sleep of the machine: this may be a quarter that was not searched in.
    func clockChanged() {
        guard isWanted else { return }
        follow(at: now, searchingFor: AccuracyReducer.searchSeconds)
        onPlanChanged?()
    }

    /// Handles a full-accuracy fix that counts and has just arrived.
    func observe(_ location: Location) {
        guard isWanted else { return }
        // The timer that begins the search at a tick may be late.
        beginSearch(at: location.timestamp, for: Self.tickSearchSeconds)
        if isSearching { settle(with: location, at: location.timestamp) }
    }

    private func settle(with location: Location, at now: Timestamp) {
        guard let reduced = reducer?.reduce(location), let state = reducer?.state else { return }
        searchEnd = nil
        // Attack: a state that is delivered but not kept is a different one after a restart, with a cell of its own.
        write(state).assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                self.settled = reduced
                self.onSettled?(reduced)
            case .failure(let error):
                self.log.error("a reduced location could not be written, and is not delivered: \(error)")
            }
        }
        follow(at: now, searchingFor: Self.tickSearchSeconds)
        onPlanChanged?()
    }

    private var now: Timestamp { receivers.time(by: clock) }

    private var isSearching: Bool { searchEnd.map { $0 > loop.now } ?? false }

    /// Begins a search of that many seconds, unless the quarter has had one.
    private func beginSearch(at now: Timestamp, for seconds: Double) {
        guard reducer?.beginSearch(at: now) == true else { return }
        // A search that began shortly before the tick goes on.
        searchEnd = max(searchEnd ?? loop.now, loop.now + time(seconds))
    }

    /// Opens the window for a search and before the next tick, and closes it afterwards.
    ///
    /// - Parameter seconds: The length of the search in this quarter, if it has not had one.
    private func follow(at now: Timestamp, searchingFor seconds: Double) {
        beginSearch(at: now, for: seconds)
        if !isSearching { keepSearch() }
        let untilTick = AccuracyReducer.nextTick(after: now).seconds(since: now)
        isWindowOpen = isSearching || untilTick <= Self.lead
        var wait = time(untilTick > Self.lead ? untilTick - Self.lead : untilTick)
        if isSearching, let searchEnd { wait = min(wait, searchEnd - loop.now) }
        timer.set(in: max(wait, .milliseconds(10))) {
            self.follow(at: self.now, searchingFor: Self.tickSearchSeconds)
            self.onPlanChanged?()
        }
    }

    /// Returns the machine's time in which that many seconds of the receivers' own time pass.
    private func time(_ seconds: Double) -> TimeAmount { .clamping(seconds: seconds / receivers.timeScale) }

    /// Writes that a quarter was searched in without a fix.
    ///
    /// Attack: an app lets the daemon end, as it does when it is idle, to get another search in the same quarter.
    private func keepSearch() {
        guard let state = reducer?.state, state != kept else { return }
        write(state).assumeIsolated().whenFailure { error in
            self.log.error("a search for a reduced location could not be written: \(error)")
        }
    }

    private func write(_ state: AccuracyReducer.State) -> EventLoopFuture<Void> {
        kept = state
        return store.write(state, on: loop)
    }
}
