/// Counts the connections of each user, to all public sockets or to the management socket, and the further processes
/// that hold them.
///
/// Attack: a user connects until nobody else can. Some of the connections beyond the limit are refused with an error.
/// More would fill the daemon's descriptors with connections that wait for their error, so those are closed.
final class ConnectionQuota {
    /// The maximum number of connections over a user's limit that wait for their error.
    static let refusalsAtOnce = 32

    private let room: SharedConnectionLimit
    private var counts: [UInt32: Int] = [:]

    /// - Parameter room: The room that all sockets share.
    init(in room: SharedConnectionLimit) {
        self.room = room
    }

    /// Counts a client's connection. Throws if there is no room for it, or if its user has `limit` others.
    /// ``leave(_:)`` follows when the connection is closed, even if this function throws.
    func enter(_ client: any Client, limit: Int) throws(AdmissionRefusal) {
        let open = counts[client.uid, default: 0]
        counts[client.uid] = open + 1
        let hasRoom = room.enter(client.uid)
        guard hasRoom, open < limit else {
            if !hasRoom || open - limit >= Self.refusalsAtOnce { client.close() }
            throw .limitExceeded(hasRoom ? "connectionsPerUser" : "connections")
        }
    }

    /// Counts further processes of a connection of user `uid`. Throws if there is no room for them, or if the user then
    /// has more than `limit` connections and further processes. ``leave(_:processes:)`` follows in either case.
    func enter(_ uid: UInt32, processes: Int, limit: Int) throws(AdmissionRefusal) {
        let count = counts[uid, default: 0] + processes
        counts[uid] = count
        let hasRoom = (0..<processes).reduce(true) { hasRoom, _ in room.enter(uid) && hasRoom }
        guard processes > 0 else { return }
        guard hasRoom else { throw .limitExceeded("connections") }
        guard count <= limit else { throw .limitExceeded("connectionsPerUser") }
    }

    /// Counts that a connection with further processes was closed.
    func leave(_ uid: UInt32, processes: Int) {
        for _ in 0..<processes { leave(uid) }
    }

    /// Counts that a connection of user `uid` was closed.
    func leave(_ uid: UInt32) {
        room.leave()
        counts[uid] = counts[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
