internal import EventLoopSupport
internal import PeerIdentity

/// Counts the connections of each user, to all public sockets or to the management socket, and the further processes
/// that hold them.
///
/// Attack: a user connects until no other user can. Some of the connections beyond the limit are refused with an error.
/// Further ones, waiting for their error, would fill the daemon's descriptors, so they are closed.
///
/// Attack: the user connects with all subordinate user IDs. So all of them count as their owner.
///
/// Attack: the user connects and closes, 21,000 times a second, and all other connections wait behind that. So each
/// user has a budget of new connections, and a connection beyond it is closed before anything is set up for it.
final class ConnectionQuota {
    /// The maximum number of connections over a user's limit that wait for their error.
    static let refusalsAtOnce = 32
    /// The number of new connections a second that each user may make, besides a burst.
    static let connectionsPerSecond = 256
    /// The least burst of new connections of a user.
    static let leastBurst = 512
    /// The number of users that triggers forgetting users who have not connected lately.
    static let maximumRates = 1024

    private let sharedLimit: SharedConnectionLimit
    private var owners: UserOwners
    /// The connections of each user ID that has any.
    private var shares: [UInt32: Share] = [:]
    /// The connections of each owner that has any.
    private var counts: [UInt32: Int] = [:]
    /// The budgets of the owners who have connected lately.
    private var rates: [UInt32: RateBudget] = [:]

    private struct Share {
        /// The user who answers for the ID. Does not change before the last connection is closed, whatever becomes of
        /// the ID in the meantime.
        let owner: UInt32
        var count = 0
    }

    /// - Parameters:
    ///   - sharedLimit: The limit on the connections of all sockets together.
    ///   - owners: The owners of subordinate user IDs.
    init(within sharedLimit: SharedConnectionLimit, owners: UserOwners = UserOwners()) {
        self.sharedLimit = sharedLimit
        self.owners = owners
    }

    /// Returns the user who answers for a user ID that has connections.
    func owner(of uid: UInt32) -> UInt32 { shares[uid]?.owner ?? uid }

    /// Returns whether a new connection of a user is handled at all. Root's always is.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of the user's connections. They may all be made at once.
    ///   - now: The time in seconds, by a clock that is never set.
    func admits(_ uid: UInt32, limit: Int, at now: Double) -> Bool {
        guard uid != 0 else { return true }
        let owner = shares[uid]?.owner ?? owners.owner(of: uid)
        if rates.count >= Self.maximumRates, rates[owner] == nil { rates = rates.filter { !$0.value.isWhole(at: now) } }
        let whole = RateBudget(
            perSecond: Double(Self.connectionsPerSecond), burst: Double(max(Self.leastBurst, limit)))
        return rates[owner, default: whole].admits(1, at: now)
    }

    /// Counts a client's connection. Throws if it exceeds the shared limit, or if its user has `limit` others.
    /// ``leave(_:)`` follows when the connection is closed, even if this function throws.
    func enter(_ client: any Client, limit: Int) throws(AdmissionRefusal) {
        let open = add(1, of: client.uid) - 1
        let isWithinLimit = sharedLimit.enter(client.uid)
        guard isWithinLimit, open < limit else {
            if !isWithinLimit || open - limit >= Self.refusalsAtOnce { client.close() }
            throw .limitExceeded(isWithinLimit ? "connectionsPerUser" : "connections")
        }
    }

    /// Counts further processes of a connection of user `uid`. Throws if they exceed the shared limit, or if the user
    /// then has more than `limit` connections and further processes. ``leave(_:processes:)`` follows in either case.
    func enter(_ uid: UInt32, processes: Int, limit: Int) throws(AdmissionRefusal) {
        let count = add(processes, of: uid)
        let isWithinLimit = (0..<processes).reduce(true) { isWithinLimit, _ in sharedLimit.enter(uid) && isWithinLimit }
        guard processes > 0 else { return }
        guard isWithinLimit else { throw .limitExceeded("connections") }
        guard count <= limit else { throw .limitExceeded("connectionsPerUser") }
    }

    /// Counts that a connection with further processes was closed.
    func leave(_ uid: UInt32, processes: Int) {
        for _ in 0..<processes { leave(uid) }
    }

    /// Counts that a connection of user `uid` was closed.
    func leave(_ uid: UInt32) {
        sharedLimit.leave()
        guard let share = shares[uid] else { return }
        shares[uid] = share.count > 1 ? Share(owner: share.owner, count: share.count - 1) : nil
        counts[share.owner] = counts[share.owner].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Adds connections of user ID `uid`. Returns the owner's number of connections.
    private func add(_ connections: Int, of uid: UInt32) -> Int {
        var share = shares[uid] ?? Share(owner: owners.owner(of: uid))
        let count = counts[share.owner, default: 0] + connections
        guard connections > 0 else { return count }
        share.count += connections
        shares[uid] = share
        counts[share.owner] = count
        return count
    }
}
