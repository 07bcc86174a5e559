import LocationModel
import NIOCore
import NMEA

/// What was read ahead of a recording, each with the moment when it is due.
///
/// Headings have no time. Those between two fixes are spread evenly between their moments.
struct ReplayQueue {
    enum Item {
        case fix(Fix, variation: Double?)
        case heading(NMEA.Heading)
    }

    /// So many headings are kept for the next fix; more, as of a recording without fixes, are not waited with.
    static let capacity = 256

    private var pace: ReplayPace
    private var items: ArraySlice<(due: NIODeadline, item: Item)> = []
    private var headings: [NMEA.Heading] = []

    init(speed: Double, start: NIODeadline) {
        pace = ReplayPace(speed: speed, start: start)
    }

    /// When the first item is due; `nil` when there is none.
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

    /// No fix comes that the headings could wait for.
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

    /// Removes and gives the first item.
    mutating func popFirst() -> Item? {
        items.popFirst()?.item
    }
}
