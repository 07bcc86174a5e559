import EventLoopSupport
import LocationModel
import NIOCore

/// When each fix of a recording is due: as long after the one before as it was recorded, divided by the speed.
struct ReplayPace {
    /// A longer pause, as when two recordings were joined, is cut to this many seconds.
    static let longestPause = 10.0

    /// How many times as fast as it was recorded.
    let speed: Double
    /// The moment of the last fix; of the start before there is one.
    private(set) var lastDue: NIODeadline
    private var lastTime: Timestamp?

    init(speed: Double, start: NIODeadline) {
        self.speed = speed
        lastDue = start
    }

    /// The moment for the fix of `time`. The first one is due at the start, and one of a time that went back with the one
    /// before it. What one fix is late by does not delay the ones after it.
    mutating func due(_ time: Timestamp) -> NIODeadline {
        if let lastTime {
            let pause = max(0, min(Self.longestPause, time.seconds(since: lastTime)))
            lastDue = lastDue + .clamping(seconds: pause / speed)
        }
        lastTime = time
        return lastDue
    }
}
