internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
internal import Positioning
internal import Receivers

/// Produces the locations of all apps with reduced accuracy: one reducer for the machine, and its clock.
///
/// While such an app asks, the receivers run around each tick; when one begins to ask in a quarter of an hour that is not
/// settled, they run for that too. What settles a quarter is written to the disk, and only then delivered. Confined to the
/// event loop.
final class Reduction {
    /// How long before a tick the receivers are opened, in seconds: the time of a warm start.
    static let lead = 30.0
    /// How long after a tick they are kept for the fix that settles the quarter, in seconds.
    static let tickSearchSeconds = 5.0
    /// How old a fix may be that was there before an app began to ask, in seconds.
    static let freshSeconds = 5.0

    /// A quarter was settled: every reduced app gets this.
    var onSettled: ((Location) -> Void)?
    /// The plan has changed.
    var onPlanChanged: (() -> Void)?
    /// A Boolean value indicating whether the receivers are needed, for a search or for the tick that comes.
    private(set) var isWindowOpen = false

    private var reducer: AccuracyReducer?
    private let store: Store
    private let receivers: ReceiverControl
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private var isWanted = false
    /// When the search for the fix that settles a quarter ends; past, or `nil`, where there is none.
    private var searchEnd: NIODeadline?
    /// What the disk has, or will have once it is written.
    private var kept: AccuracyReducer.State?
    /// The last settled location that is on the disk.
    private var settled: Location?
    private let timer: LoopTimer

    /// - Parameter reducer: `nil` where there is no secret: then nothing is delivered.
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

    /// How hard the receivers work for it.
    var plan: ReceiverPlan { isWanted && isWindowOpen ? .continuous : .off }

    /// The last settled location, unless it is older than from one tick to the next: what a stream begins with.
    var lastKnown: Location? {
        guard let last = settled else { return nil }
        let age = now.seconds(since: last.timestamp)
        return age < Double(AccuracyReducer.tickSeconds) + Self.tickSearchSeconds ? last : nil
    }

    /// The last settled location if it is at most so many seconds old, or if this quarter brings no other: what answers
    /// a call at once.
    func lastKnown(maximumAge: Double) -> Location? {
        guard let reducer, let last = lastKnown, last == reducer.lastKnown else { return nil }
        if now.seconds(since: last.timestamp) <= maximumAge { return last }
        return !isSearching && reducer.isSearched(at: now) ? last : nil
    }

    /// Says whether any reduced app asks.
    func setWanted(_ wanted: Bool) {
        guard wanted != isWanted else { return }
        isWanted = wanted
        guard wanted else {
            timer.cancel()
            isWindowOpen = false
            return keepSearch()
        }
        follow(at: now, searchingFor: AccuracyReducer.searchSeconds)
        // What was there anyway saves the receivers the work.
        if isSearching, let last = receivers.lastFix, let age = receivers.ageOfLastFix, age <= Self.freshSeconds,
            AccuracyReducer.tick(atOrBefore: last.fix.location.timestamp) == AccuracyReducer.tick(atOrBefore: now)
        {
            settle(with: last.fix.location, at: now)
        }
    }

    /// The wall clock was set, or the machine slept: this may be a quarter that was not searched in.
    func clockChanged() {
        guard isWanted else { return }
        follow(at: now, searchingFor: AccuracyReducer.searchSeconds)
        onPlanChanged?()
    }

    /// Takes an exact fix that counts, and has just come.
    func observe(_ location: Location) {
        guard isWanted else { return }
        // The timer that begins the search at a tick may be late.
        beginSearch(at: location.timestamp, for: Self.tickSearchSeconds)
        if isSearching { settle(with: location, at: location.timestamp) }
    }

    private func settle(with location: Location, at now: Timestamp) {
        guard let reduced = reducer?.observe(location), let state = reducer?.state else { return }
        searchEnd = nil
        // Attack: a state that is delivered and not kept is another one after a restart, with a cell of its own.
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

    /// Begins a search of so many seconds, unless the quarter had one.
    private func beginSearch(at now: Timestamp, for seconds: Double) {
        guard reducer?.beginSearch(at: now) == true else { return }
        // A search that began shortly before the tick goes on.
        searchEnd = max(searchEnd ?? loop.now, loop.now + time(seconds))
    }

    /// Opens the window for a search and before the next tick, and closes it afterwards.
    ///
    /// - Parameter seconds: how long the quarter is searched in, where it was not yet.
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

    /// The time of the machine in which so many seconds of the receivers pass.
    private func time(_ seconds: Double) -> TimeAmount { .clamping(seconds: seconds / receivers.timeScale) }

    /// Writes that a quarter was searched in without a fix.
    ///
    /// Attack: an app lets the daemon end, as it does when it is idle, for another search in the same quarter.
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
