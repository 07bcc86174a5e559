/// Counts the connections of each user to one socket.
///
/// Attack: a user connects until nobody else can. Some of the connections beyond the limit are refused with an error;
/// with more, the user would fill the daemon's descriptors with connections that wait for theirs, so those are closed.
final class ConnectionQuota {
    /// The greatest number of connections over a user's limit that wait for their error.
    static let refusalsAtOnce = 32

    private let room: ConnectionRoom
    private var counts: [UInt32: Int] = [:]

    /// - Parameter room: what the sockets have together.
    init(in room: ConnectionRoom) {
        self.room = room
    }

    /// Counts a client's connection: ``leave(_:)`` follows when it is closed, also where this throws. Throws where there
    /// is no room for it, or where its user has `limit` others.
    func enter(_ client: any Client, limit: Int) throws(AdmissionRefusal) {
        let open = counts[client.uid, default: 0]
        counts[client.uid] = open + 1
        let hasRoom = room.enter(client.uid)
        guard hasRoom, open < limit else {
            if !hasRoom || open - limit >= Self.refusalsAtOnce { client.close() }
            throw .limitExceeded(hasRoom ? "connectionsPerUser" : "connections")
        }
    }

    /// Counts that a connection of user `uid` is closed.
    func leave(_ uid: UInt32) {
        room.leave()
        counts[uid] = counts[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
