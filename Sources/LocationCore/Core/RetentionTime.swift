internal import LocationModel
internal import NIOCore

/// The time by which the access log and the visits are old, over restarts. Confined to the event loop.
final class RetentionTime {
    /// Knows whether the machine's clock is synchronized.
    weak var synchronization: (any ClockSynchronization)?

    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private var state: RetentionClock
    /// The time for which the machine has slept, in milliseconds: the loop's clock stands still meanwhile.
    private var slept: Int64 = 0

    /// - Parameter reached: The time that had been reached when the daemon ended, or `nil` if none is stored.
    init(reached: Timestamp?, on loop: any EventLoop, clock: @escaping () -> Timestamp) {
        self.loop = loop
        self.clock = clock
        state = RetentionClock(reached: reached ?? clock(), steady: Self.milliseconds(loop.now))
    }

    /// The time that has certainly been reached, to be stored.
    var reached: Timestamp { state.reached }

    /// The time by which records are old.
    var now: Timestamp {
        let synchronization = synchronization
        return state.advance(to: clock(), steady: Self.milliseconds(loop.now) + slept) {
            synchronization?.isSynchronized == true
        }
    }

    /// Adds a sleep of the machine.
    func add(sleep: TimeAmount) { slept += sleep.nanoseconds / 1_000_000 }

    private static func milliseconds(_ time: NIODeadline) -> Int64 {
        Int64(clamping: time.uptimeNanoseconds / 1_000_000)
    }
}
