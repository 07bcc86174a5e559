internal import AuthorizationPolicy
internal import LocationModel

/// The monitoring changes that are not on the disk yet: the order of writing them, and their waiters. Logic only.
///
/// Attack: an app makes changes faster than the disk writes them. So a change replaces a waiting one with the same
/// key; one batch is written at a time, with as many changes of each user as of the others; and a user's calls are
/// refused beyond ``maximumPerUser``. This bounds the memory, except for changes that no call requests, which are
/// bounded by the monitoring.
struct PendingChanges<Waiter> {
    /// The maximum number of changes in one transaction. A decision waits for that many at most.
    static var batchSize: Int { 64 }
    /// The maximum number of waiting changes of one user before its calls are refused, and of its waiting calls.
    static var maximumPerUser: Int { 128 }

    private struct Entry {
        let key: MonitoringChange.Key
        var change: MonitoringChange
        /// The waiters to notify when the change is written, including the waiters of changes that it replaced.
        var waiters: [Waiter] = []
    }

    private struct Queue {
        /// The changes in the order they are written.
        var entries: [Entry] = []
        var waiterCount = 0
    }

    /// The queues by user. The one for `nil` has the changes that concern all users.
    private var queues: [UInt32?: Queue] = [:]
    /// The users that have changes, the next one first.
    private var turns: [UInt32?] = []
    private var writing: [Entry] = []

    /// Returns whether a call of a user may make `change`.
    func isWithinLimit(with change: MonitoringChange) -> Bool {
        guard let queue = queues[change.key.user] else { return true }
        let isReplacing = queue.entries.contains { $0.key == change.key }
        return (isReplacing || queue.entries.count < Self.maximumPerUser) && queue.waiterCount < Self.maximumPerUser
    }

    /// A Boolean value indicating whether everything is written.
    var isEmpty: Bool { turns.isEmpty && writing.isEmpty }

    /// Adds a change behind the user's others. A waiting change with the same key is dropped, because this one
    /// overwrites it. Its waiters wait for this one.
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

    /// The outcome of a request to wait.
    enum Admission: Equatable {
        /// The waiter will be notified with the change. A change without a waiter counts as joined too.
        case joined
        /// There is nothing to wait for.
        case nothing
        /// ``PendingChanges/maximumPerUser`` calls of the user wait already.
        case full
    }

    /// Makes `waiter` wait for the change of `key` that is not written yet.
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

    /// Drops a user's waiting changes if `isDropped` is true for them, except for changes being written. Returns their
    /// waiters.
    mutating func drop(of user: UInt32, where isDropped: (MonitoringChange.Key) -> Bool) -> [Waiter] {
        guard var queue = queues.removeValue(forKey: user) else { return [] }
        let waiters = queue.entries.filter { isDropped($0.key) }.flatMap(\.waiters)
        queue.entries.removeAll { isDropped($0.key) }
        queue.waiterCount -= waiters.count
        if queue.entries.isEmpty { turns.removeAll { $0 == user } } else { queues[user] = queue }
        return waiters
    }

    /// Returns the changes to write next, in one transaction, with one change of each user in turn. Returns `nil` if
    /// there are none, or if the last batch has not finished.
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

    /// Ends the last batch. Returns the waiters of each of its changes, in their order.
    mutating func finishBatch() -> [[Waiter]] {
        defer { writing = [] }
        return writing.map(\.waiters)
    }
}

extension MonitoringChange {
    /// The data that a change overwrites. Texts are bytes, as the database compares them.
    enum Key: Hashable {
        case monitoring(AppKey, MonitoringKind)
        case region(AppKey, identifier: [UInt8])
        case pendingEvent(AppKey, EventKind, subject: [UInt8])
        case pendingEvents(AppKey)
        case app(AppKey)
        case visit(uid: UInt32, arrival: Timestamp)
        case visits(uid: UInt32)
        case visitsBefore

        /// The user that the data belongs to, or `nil` if it concerns all users.
        var user: UInt32? {
            switch self {
            case .visit(let uid, _), .visits(let uid): uid
            case .monitoring, .region, .pendingEvent, .pendingEvents, .app: app?.uid
            case .visitsBefore: nil
            }
        }

        /// The app that the data belongs to, or `nil` if it does not belong to one app.
        var app: AppKey? {
            switch self {
            case .monitoring(let app, _), .region(let app, _), .pendingEvent(let app, _, _), .pendingEvents(let app),
                .app(let app):
                app
            case .visit, .visits, .visitsBefore: nil
            }
        }

        /// A Boolean value indicating whether the data is a user's visits.
        var isOfVisits: Bool {
            switch self {
            case .visit, .visits: true
            default: false
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
        case .removePendingEvents(let app): .pendingEvents(app)
        case .removeApp(let app): .app(app)
        case .putVisit(let record): .visit(uid: record.uid, arrival: record.visit.arrival)
        case .clearVisits(let uid): .visits(uid: uid)
        case .clearVisitsBefore: .visitsBefore
        }
    }
}
