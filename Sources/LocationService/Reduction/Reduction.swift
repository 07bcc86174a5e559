internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import Positioning

/// Makes the locations of all apps that may have it only roughly: one reducer for the machine, and its clock.
///
/// The receivers run around each tick while such an app asks; what they tell then is settled, kept on the disk, and only then
/// told. Confined to the event loop.
final class Reduction {
    /// How long before a tick the receivers are opened, in seconds: the time of a warm start.
    static let lead = 30.0
    /// How long after a tick they are kept for the fix that settles it, in seconds.
    static let patience = 5.0

    /// A tick was settled: every reduced app gets this.
    var onTick: ((Location) -> Void)?
    /// The plan has changed.
    var onPlanChanged: (() -> Void)?
    /// Whether the receivers are needed for the tick that comes.
    private(set) var isWindowOpen = false

    private var reducer: AccuracyReducer?
    private let store: Store
    private let receivers: ReceiverControl
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private var isWanted = false
    private var timer: Scheduled<Void>?

    /// - Parameter reducer: `nil` where there is no secret: then nothing is told.
    init(
        _ reducer: AccuracyReducer?, store: Store, receivers: ReceiverControl, on loop: any EventLoop,
        clock: @escaping () -> Timestamp, log: Logger
    ) {
        self.reducer = reducer
        self.store = store
        self.receivers = receivers
        self.loop = loop
        self.clock = clock
        self.log = log
    }

    /// How hard the receivers work for it.
    var plan: ReceiverPlan { isWanted && isWindowOpen ? .continuous : .off }

    /// The last tick's location, if there was no other tick since: what an app gets that comes between two ticks.
    var lastKnown: Location? {
        guard let last = reducer?.lastKnown else { return nil }
        let age = receivers.time(by: clock).seconds(since: last.timestamp)
        return age < Double(AccuracyReducer.tickSeconds) + Self.patience ? last : nil
    }

    /// Says whether any reduced app asks.
    func setWanted(_ wanted: Bool) {
        guard wanted != isWanted else { return }
        isWanted = wanted
        timer?.cancel()
        timer = nil
        isWindowOpen = false
        if wanted { follow() }
    }

    /// The wall clock was set, or the machine slept: the next tick is another one.
    func clockChanged() {
        guard isWanted else { return }
        follow()
        onPlanChanged?()
    }

    /// Takes an exact fix that counts.
    func observe(_ location: Location) {
        guard isWanted, let reduced = reducer?.observe(location), let state = reducer?.state else { return }
        isWindowOpen = false
        // Attack: a state that is told and not kept is another one after a restart, with a cell of its own.
        store.write(state, on: loop).assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.onTick?(reduced)
            case .failure(let error): self.log.error("a reduced location could not be kept, and is not told: \(error)")
            }
        }
        follow()
        onPlanChanged?()
    }

    /// Opens the window before the next tick, and closes it after the tick.
    private func follow() {
        timer?.cancel()
        let now = receivers.time(by: clock)
        let next = AccuracyReducer.nextTick(after: now)
        let current = AccuracyReducer.tick(atOrBefore: now)
        let sinceTick = now.seconds(since: current)
        let isSettled = reducer?.lastKnown.map { $0.timestamp >= current } ?? false
        let untilTick = next.seconds(since: now)
        let wait: Double
        if sinceTick < Self.patience, !isSettled {
            isWindowOpen = true
            wait = Self.patience - sinceTick
        } else if untilTick <= Self.lead {
            isWindowOpen = true
            wait = untilTick + Self.patience
        } else {
            isWindowOpen = false
            wait = untilTick - Self.lead
        }
        let time = TimeAmount.clamping(seconds: max(wait, 0.01) / receivers.timeScale)
        timer = loop.assumeIsolated().scheduleTask(in: time) {
            self.follow()
            self.onPlanChanged?()
        }
    }
}
