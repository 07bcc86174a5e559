package import NIOCore

/// A connection whose calls take turns with the calls of its user's other connections.
package protocol TurnTaker: AnyObject {
    /// Handles the waiting call: it is the connection's turn.
    func takeTurn()
}

/// Decides which call is handled next. A call is handled at once if its user's share of the event loop permits, and
/// otherwise in turn.
///
/// The connections of a user take turns, one call each, across all fronts. With a scheduler for each front, a user
/// would have one share per front. Nothing is scheduled while no connection waits. Confined to the event loop.
package final class TurnScheduler {
    package let eventLoop: any EventLoop
    private let owner: (UInt32) -> UInt32
    private var shares = LoopShares()
    /// The connections with a call that is ready to be handled, by user ID.
    private var waiting: [UInt32: CircularBuffer<any TurnTaker>] = [:]
    private var timer: Scheduled<Void>?

    /// Creates a scheduler.
    ///
    /// - Parameter owner: Returns the user whose share a user ID uses. Attack: a user makes calls with all of its
    ///   subordinate IDs, to get one share for each.
    package init(on eventLoop: any EventLoop, countedFor owner: @escaping (UInt32) -> UInt32 = { $0 }) {
        self.eventLoop = eventLoop
        self.owner = owner
    }

    /// Runs `handle` now, or queues `connection`. When its turn comes, ``TurnTaker/takeTurn()`` is called.
    ///
    /// - Parameter uid: The user whose share is used.
    /// - Returns: `true` if `handle` was run.
    package func run(_ connection: any TurnTaker, of uid: UInt32, _ handle: () -> Void) -> Bool {
        let (now, uid) = (eventLoop.now, owner(uid))
        guard waiting[uid] == nil, shares.admit(uid, at: now) else {
            waiting[uid, default: []].append(connection)
            schedule()
            return false
        }
        handle()
        shares.spend(eventLoop.now - now, of: uid)
        return true
    }

    private func schedule() {
        guard timer == nil else { return }
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: shares.end) {
            self.timer = nil
            for uid in Array(self.waiting.keys) { self.giveTurns(to: uid) }
            if !self.waiting.isEmpty { self.schedule() }
        }
    }

    private func giveTurns(to uid: UInt32) {
        var now = eventLoop.now
        while shares.admit(uid, at: now), let connection = waiting[uid]?.popFirst() {
            // The user's queue exists during the turn, even if empty, so that the connection's next call waits behind
            // the others.
            connection.takeTurn()
            let end = eventLoop.now
            shares.spend(end - now, of: uid)
            now = end
        }
        if waiting[uid]?.isEmpty == true { waiting[uid] = nil }
    }
}
