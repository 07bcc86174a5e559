import NIOCore
import Positioning

/// When each fix of a recording is due: as long after the one before as it was recorded, divided by the speed.
struct ReplayPace {
    /// A longer pause, as when two recordings were joined, is cut to this many seconds.
    static let longestPause = 10.0

    /// How many times as fast as it was recorded.
    let speed: Double
    private var last: (time: Timestamp, due: NIODeadline)?

    init(speed: Double) {
        self.speed = speed
    }

    /// The moment for the fix of `time`, asked for at `now`. The first one is due at once, and so is one of a time that
    /// went back. What one fix is late by does not delay the ones after it.
    mutating func due(_ time: Timestamp, at now: NIODeadline) -> NIODeadline {
        var due = now
        if let last {
            let pause = max(0, min(Self.longestPause, time.seconds(since: last.time)))
            due = last.due + .nanoseconds(Int64(pause / speed * 1e9))
        }
        last = (time, due)
        return due
    }
}
