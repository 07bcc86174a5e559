import EventLoopSupport
import LocationModel
import NIOCore

/// The due times of the fixes of a recording: the intervals between them are as recorded, divided by the speed.
struct ReplayPace {
    /// The maximum interval in seconds. Longer ones, as between two joined recordings, are shortened to it.
    static let maximumPause = 10.0

    /// The speed, relative to the recording.
    let speed: Double
    /// The due time of the last fix, or the start time before the first one.
    private(set) var lastDue: NIODeadline
    private var lastTime: Timestamp?

    init(speed: Double, start: NIODeadline) {
        self.speed = speed
        lastDue = start
    }

    /// Returns the due time of the fix recorded at `time`. The first fix is due at the start. A fix with an earlier
    /// time than the previous one is due together with it. A late fix does not delay the following ones.
    mutating func due(_ time: Timestamp) -> NIODeadline {
        if let lastTime {
            let pause = max(0, min(Self.maximumPause, time.seconds(since: lastTime)))
            lastDue = lastDue + .clamping(seconds: pause / speed)
        }
        lastTime = time
        return lastDue
    }
}
