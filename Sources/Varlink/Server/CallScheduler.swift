import NIOCore

/// A scheduler that decides whose call is handled next: a call is handled at once if its user's share of the event
/// loop permits, and otherwise in turn.
///
/// The connections of a user take turns, one call each. Nothing is scheduled while no connection waits. Confined to
/// the event loop.
final class CallScheduler {
    private let eventLoop: any EventLoop
    private var shares = LoopShares()
    /// The connections with a call that is ready to be handled, by user ID.
    private var waiting: [UInt32: CircularBuffer<Connection>] = [:]
    private var timer: Scheduled<Void>?

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs `handle` now, or queues `connection` until its turn, when ``Connection/takeTurn()`` is called.
    ///
    /// - Returns: `true` if `handle` was run.
    func run(_ connection: Connection, _ handle: () -> Void) -> Bool {
        let uid = connection.peer.uid
        let now = NIODeadline.now()
        guard waiting[uid] == nil, shares.admit(uid, at: now) else {
            waiting[uid, default: []].append(connection)
            schedule()
            return false
        }
        handle()
        shares.spend(.now() - now, of: uid)
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
        var now = NIODeadline.now()
        while shares.admit(uid, at: now), let connection = waiting[uid]?.popFirst() {
            // The user's queue exists during the turn, even if empty: the connection's next call waits behind the
            // others.
            connection.takeTurn()
            let end = NIODeadline.now()
            shares.spend(end - now, of: uid)
            now = end
        }
        if waiting[uid]?.isEmpty == true { waiting[uid] = nil }
    }
}
