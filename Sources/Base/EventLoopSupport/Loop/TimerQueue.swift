internal import NIOCore

/// The timers of an event loop, ordered by deadline. Timers with equal deadlines fire in the order of their setting.
struct TimerQueue {
    /// A timer that is set. Confined to the event loop.
    final class Entry {
        let deadline: NIODeadline
        fileprivate let order: UInt64
        /// Called when the timer fires, or `nil` if it was cancelled or has fired.
        fileprivate var body: (() -> Void)?

        fileprivate init(_ deadline: NIODeadline, order: UInt64, _ body: @escaping () -> Void) {
            self.deadline = deadline
            self.order = order
            self.body = body
        }

        fileprivate func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    /// A binary heap: no entry is before its parent.
    private var heap: [Entry] = []
    private var cancelled = 0
    /// The order of the timer that was set last.
    private(set) var lastOrder: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    /// The number of timers, with the cancelled ones that are not removed yet.
    var count: Int { heap.count }

    /// The deadline of the timer that fires next, or `nil` if none is set.
    var next: NIODeadline? { heap.first?.deadline }

    mutating func set(at deadline: NIODeadline, _ body: @escaping () -> Void) -> Entry {
        lastOrder += 1
        let entry = Entry(deadline, order: lastOrder, body)
        insert(entry)
        return entry
    }

    mutating func cancel(_ entry: Entry) {
        guard entry.body != nil else { return }
        entry.body = nil
        cancelled += 1
        if heap.first === entry { return dropCancelled() }
        // Cancelled timers whose deadlines are far away must not pile up.
        guard cancelled > 32, cancelled > heap.count / 2 else { return }
        let rest = heap.filter { $0.body != nil }
        (heap, cancelled) = ([], 0)
        rest.forEach { insert($0) }
    }

    /// Removes the next timer that is due, and returns its body.
    ///
    /// - Parameter last: The order up to which timers count. A timer that sets itself again waits for the next turn.
    mutating func removeDue(at now: NIODeadline, setUpTo last: UInt64) -> (() -> Void)? {
        guard let first = heap.first, first.deadline <= now, first.order <= last else { return nil }
        removeFirst()
        let body = first.body
        first.body = nil
        dropCancelled()
        return body
    }

    private mutating func dropCancelled() {
        while let first = heap.first, first.body == nil {
            removeFirst()
            cancelled -= 1
        }
    }

    private mutating func insert(_ entry: Entry) {
        var index = heap.count
        heap.append(entry)
        while index > 0, entry.isBefore(heap[(index - 1) / 2]) {
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = entry
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(last) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
    }
}
