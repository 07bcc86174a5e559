package import LocationModel

/// The check that a location is put into the queue once, in order of time.
///
/// A subscription begins with the last known location: after a restart of the daemon or of the publisher, this is a
/// location that has been published already. A receiver's clock that is set back is believed, or nothing would be
/// published until it has caught up: at once if it is by more than ``tolerance``, otherwise with the second location in a
/// row that is behind.
package struct FixOrder: Sendable {
    /// The verdict on a location.
    package enum Verdict: Sendable, Equatable {
        /// The location follows the last one.
        case inOrder
        /// The location was there before: it is dropped.
        case repeated
        /// The location is behind the last one by this number of seconds: it is dropped.
        case late(seconds: Double)
        /// The receiver's clock was set back, by this number of seconds.
        case clockSetBack(seconds: Double)
    }

    /// The greatest step back in time that counts as disorder, in seconds.
    package static let tolerance = 3600.0

    private var last: Timestamp?
    /// The time of the location before, if that was late.
    private var late: Timestamp?

    /// Begins after the last location of an earlier run, or with none.
    package init(after last: Timestamp?) {
        self.last = last
    }

    /// Returns the verdict on the next location, and counts it unless it is dropped.
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
