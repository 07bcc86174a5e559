import LocationModel
import NIOConcurrencyHelpers

/// A clock that shows the next of its times each time it is read, and the last one from then on.
final class SteppedClock: Sendable {
    private let times: NIOLockedValueBox<[Timestamp]>

    /// - Parameter milliseconds: The times, of which there is at least one, since the departure of ``Journey``.
    init(milliseconds: [Int64]) {
        times = NIOLockedValueBox(
            milliseconds.map {
                Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + $0)
            })
    }

    func read() -> Timestamp {
        times.withLockedValue { times in times.count > 1 ? times.removeFirst() : times[0] }
    }
}
