package import LocationModel

/// Ensures that each location is put into the queue once, in order of time.
///
/// A subscription begins with the last known location, which has already been published if the daemon or the publisher
/// was restarted. If a receiver's clock is set back, the new time must be accepted, or nothing would be published until
/// it has caught up: at once for a step of more than ``tolerance``, otherwise with the second late location in a row.
package struct FixOrder: Sendable {
    /// The verdict on a location.
    package enum Verdict: Sendable, Equatable {
        /// The location follows the last one.
        case inOrder
        /// The location has the same time as the last one: it is dropped.
        case repeated
        /// The location is older than the last one by this number of seconds: it is dropped.
        case late(seconds: Double)
        /// The receiver's clock was set back by this number of seconds.
        case clockSetBack(seconds: Double)
    }

    /// The maximum step back in time that counts as disorder, in seconds.
    package static let tolerance = 3600.0

    private var last: Timestamp?
    /// The time of the previous location, if that was late.
    private var late: Timestamp?

    /// Starts after the last location of an earlier run, if any.
    package init(after last: Timestamp?) {
        self.last = last
    }

    /// Returns the verdict on the next location, and records it unless it is dropped.
    package mutating func check(_ time: Timestamp) -> Verdict {
        let before = late
        late = nil
        guard let last, time <= last else {
            self.last = time
            return .inOrder
        }
        guard time < last else { return .repeated }
        let step = last.seconds(since: time)
        guard step > Self.tolerance || before.map({ time > $0 }) == true else {
            late = time
            return .late(seconds: step)
        }
        self.last = time
        return .clockSetBack(seconds: step)
    }
}
