internal import AuthorizationPolicy
internal import LocationModel

/// The changes of monitoring that are not on the disk yet: which are written next, and who waits for them. Logic only.
///
/// Attack: an app makes changes faster than the disk writes them. So a change takes the place of an older one of its key
/// that waits, one batch is written at a time, of each user as many as of the others, and a user's calls are refused beyond
/// ``maximumPerUser``. Memory is bounded by that and, for what no call asks for, by what is monitored.
struct PendingChanges<Waiter> {
    /// How many changes are written in one transaction: for these, at most, a decision waits.
    static var batchSize: Int { 64 }
    /// How many changes of one user may wait before its calls are refused, and how many calls of it may wait for them.
    static var maximumPerUser: Int { 128 }

    private struct Entry {
        let key: MonitoringChange.Key
        var change: MonitoringChange
        /// Who is answered when it is written, those of the changes that it replaced included.
        var waiters: [Waiter] = []
    }

    private struct Queue {
        /// In the order in which they are written.
        var entries: [Entry] = []
        var waiterCount = 0
    }

    /// By user; `nil` is for the changes that concern all users.
    private var queues: [UInt32?: Queue] = [:]
    /// The users that have changes, the next one first.
    private var turns: [UInt32?] = []
    private var writing: [Entry] = []

    /// Returns whether a call of a user may make `change`.
    func hasRoom(for change: MonitoringChange) -> Bool {
        guard let queue = queues[change.key.user] else { return true }
        let isReplacing = queue.entries.contains { $0.key == change.key }
        return (isReplacing || queue.entries.count < Self.maximumPerUser) && queue.waiterCount < Self.maximumPerUser
    }

    /// A Boolean value indicating whether everything is written.
    var isEmpty: Bool { turns.isEmpty && writing.isEmpty }

    /// Adds a change behind the user's others; one of the same key that waits is dropped, since this one writes over it. Who
    /// waited for that one waits for this one.
    @discardableResult
    mutating func add(_ change: MonitoringChange, _ waiter: Waiter? = nil) -> Admission {
        let key = change.key
        var queue = queues[key.user] ?? Queue()
        if queue.entries.isEmpty { turns.append(key.user) }
        var entry = Entry(key: key, change: change)
        if let index = queue.entries.firstIndex(where: { $0.key == key }) {
            entry.waiters = queue.entries.remove(at: index).waiters
        }
        queue.entries.append(entry)
        queues[key.user] = queue
        guard let waiter else { return .joined }
        return wait(for: key, waiter)
    }

    /// What becomes of who wants to wait.
    enum Admission: Equatable {
        /// It is answered with the change; who does not wait counts as such.
        case joined
        /// There is nothing to wait for.
        case nothing
        /// ``PendingChanges/maximumPerUser`` calls of the user wait already.
        case full
    }

    /// Has `waiter` wait for what is not written yet of `key`.
    mutating func wait(for key: MonitoringChange.Key, _ waiter: Waiter) -> Admission {
        if let index = queues[key.user]?.entries.firstIndex(where: { $0.key == key }) {
            guard queues[key.user]!.waiterCount < Self.maximumPerUser else { return .full }
            queues[key.user]!.entries[index].waiters.append(waiter)
            queues[key.user]!.waiterCount += 1
            return .joined
        }
        guard let index = writing.firstIndex(where: { $0.key == key }) else { return .nothing }
        guard writing[index].waiters.count < Self.maximumPerUser else { return .full }
        writing[index].waiters.append(waiter)
        return .joined
    }

    /// Returns what is to be written next, in one transaction: one change of each user in turn. `nil` if there is nothing, or
    /// the last batch has not finished.
    mutating func nextBatch() -> [MonitoringChange]? {
        guard writing.isEmpty, !turns.isEmpty else { return nil }
        while writing.count < Self.batchSize, !turns.isEmpty {
            let user = turns.removeFirst()
            guard var queue = queues.removeValue(forKey: user) else { continue }
            let entry = queue.entries.removeFirst()
            queue.waiterCount -= entry.waiters.count
            writing.append(entry)
            guard !queue.entries.isEmpty else { continue }
            queues[user] = queue
            turns.append(user)
        }
        return writing.map(\.change)
    }

    /// The last batch has finished. Returns who waits for each of its changes, in their order.
    mutating func finishBatch() -> [[Waiter]] {
        defer { writing = [] }
        return writing.map(\.waiters)
    }
}

extension MonitoringChange {
    /// What a later change writes over an earlier one of. Texts are bytes, as the database compares them.
    enum Key: Hashable {
        case monitoring(AppKey, MonitoringKind)
        case region(AppKey, identifier: [UInt8])
        case pendingEvent(AppKey, EventKind, subject: [UInt8])
        case pendingEvents(AppKey)
        case visit(uid: UInt32, arrival: Timestamp)
        case visits(uid: UInt32)
        case visitsBefore

        /// Whose it is; `nil` where it concerns all users.
        var user: UInt32? {
            switch self {
            case .monitoring(let app, _), .region(let app, _), .pendingEvent(let app, _, _), .pendingEvents(let app):
                app.uid
            case .visit(let uid, _), .visits(let uid): uid
            case .visitsBefore: nil
            }
        }
    }

    var key: Key {
        switch self {
        case .put(let record): .monitoring(record.app, record.kind)
        case .remove(let app, let kind): .monitoring(app, kind)
        case .putRegion(let record): .region(record.app, identifier: Array(record.region.identifier.utf8))
        case .removeRegion(let app, let identifier): .region(app, identifier: Array(identifier.utf8))
        case .putPending(let event):
            .pendingEvent(event.app, event.kind, subject: Array(event.subject.utf8))
        case .removePendingEvent(let app, let kind, let subject):
            .pendingEvent(app, kind, subject: Array(subject.utf8))
        case .forgetPending(let app): .pendingEvents(app)
        case .putVisit(let record): .visit(uid: record.uid, arrival: record.visit.arrival)
        case .clearVisits(let uid): .visits(uid: uid)
        case .clearVisitsBefore: .visitsBefore
        }
    }
}
