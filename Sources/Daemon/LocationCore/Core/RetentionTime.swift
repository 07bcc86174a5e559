internal import LocationModel
internal import NIOCore

/// The time for erasing the access log and the visits, which continues over restarts. Confined to the event loop.
final class RetentionTime {
    /// Knows whether the machine's clock is synchronized.
    weak var synchronization: (any ClockSynchronization)?

    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private var state: RetentionClock
    /// The machine's total time asleep, in milliseconds: the loop's clock stands still meanwhile.
    private var slept: Int64 = 0

    /// Creates a time that continues the stored one.
    ///
    /// - Parameters:
    ///   - reached: The time reached when the daemon ended, or `nil` if none is stored: the present clock is then
    ///     believed.
    ///   - clock: Returns the time by the machine's clock.
    init(reached: Timestamp?, on loop: any EventLoop, clock: @escaping () -> Timestamp) {
        self.loop = loop
        self.clock = clock
        state = RetentionClock(reached: reached ?? clock(), steady: Self.milliseconds(loop.now))
    }

    /// The time that has certainly been reached, to be stored.
    var reached: Timestamp { state.reached }

    /// The time for erasing records. Reading it may begin a check of whether the clock is synchronized.
    var now: Timestamp {
        let synchronization = synchronization
        return state.advance(to: clock(), steady: Self.milliseconds(loop.now) + slept) {
            synchronization?.isSynchronized == true
        }
    }

    /// Adds a sleep of the machine, while the loop's clock stood still.
    func add(sleep: TimeAmount) { slept += sleep.nanoseconds / 1_000_000 }

    private static func milliseconds(_ time: NIODeadline) -> Int64 {
        Int64(clamping: time.uptimeNanoseconds / 1_000_000)
    }
}
