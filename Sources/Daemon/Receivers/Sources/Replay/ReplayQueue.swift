import LocationModel
import NIOCore
import NMEA

/// The items read ahead from a recording, each with its due time.
///
/// Headings carry no time. Those between two fixes are spread evenly between the due times of the fixes.
struct ReplayQueue {
    enum Item {
        case fix(Fix, variation: Double?)
        case heading(NMEA.Heading)
    }

    /// The maximum number of headings that wait for the next fix. If there are more, as in a recording without fixes,
    /// they are due at once.
    static let capacity = 256

    private var pace: ReplayPace
    private var items: ArraySlice<(due: NIODeadline, item: Item)> = []
    private var headings: [NMEA.Heading] = []

    init(speed: Double, start: NIODeadline) {
        pace = ReplayPace(speed: speed, start: start)
    }

    /// The due time of the first item, or `nil` if the queue is empty.
    var due: NIODeadline? { items.first?.due }

    mutating func add(_ fix: Fix, variation: Double?) {
        let from = pace.lastDue
        let due = pace.due(fix.location.timestamp)
        release(from: from, until: due)
        items.append((due, .fix(fix, variation: variation)))
    }

    mutating func add(_ heading: NMEA.Heading) {
        headings.append(heading)
        if headings.count == Self.capacity { release() }
    }

    /// Queues the waiting headings, because no fix follows.
    mutating func release() {
        release(from: pace.lastDue, until: pace.lastDue)
    }

    private mutating func release(from start: NIODeadline, until end: NIODeadline) {
        let step = (end - start).nanoseconds / Int64(headings.count + 1)
        for (index, heading) in headings.enumerated() {
            items.append((start + .nanoseconds(step * Int64(index + 1)), .heading(heading)))
        }
        headings.removeAll(keepingCapacity: true)
    }

    /// Removes and returns the first item.
    mutating func popFirst() -> Item? {
        items.popFirst()?.item
    }
}
