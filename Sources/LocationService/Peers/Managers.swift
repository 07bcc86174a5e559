internal import Authorization
internal import Glibc
internal import Logging
internal import NIOCore
internal import Varlink

/// Who is connected to the management socket.
///
/// The socket's mode says who may connect; this says which of their programs. Attack: an app in a sandbox of a user who
/// may manage was given the socket's folder, and grants itself the location. So a sandboxed program is refused, and one
/// that cannot be told from such. Root is not asked: it can do all of that without this socket.
final class Managers {
    /// Connections of one user.
    static let connectionsPerUser = 32

    private let lookups: PeerLookups
    private let room: ConnectionRoom
    private let log: Logger
    private var connectionsPerUser: [UInt32: Int] = [:]

    init(lookups: PeerLookups, room: ConnectionRoom, log: Logger) {
        self.lookups = lookups
        self.room = room
        self.log = log
    }

    /// Finds out who made a connection, and has its calls taken up then. Throws what the peer is told where it is
    /// refused at once.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        let peer = connection.peer
        let open = connectionsPerUser[peer.uid, default: 0]
        connectionsPerUser[peer.uid] = open + 1
        let hasRoom = room.enter(peer.uid)
        connection.onClose = { [unowned self] in release(peer.uid) }
        if peer.uid == 0 { return .admitted }
        // Attack: a user who may manage opens connections until nobody else gets one.
        guard hasRoom, open < Self.connectionsPerUser else {
            if open >= Self.connectionsPerUser * 2 { connection.close() }
            throw .limitExceeded(hasRoom ? "connectionsPerUser" : "connections")
        }
        let process: ProcessDescriptor
        do throws(IdentityRefusal) { process = try peer.openProcess() } catch {
            throw refusal(of: peer, error.description)
        }
        connection.peer.pidfd = nil
        lookups.facts(of: process, uid: peer.uid, wantsLogin: false).assumeIsolated().whenSuccess { facts in
            switch facts {
            case .success(let facts) where facts.identity.strength == .sandboxed:
                connection.refuse(self.refusal(of: peer, "\(facts.identity) is sandboxed"))
            case .success: connection.admit()
            case .failure(let refusal): connection.refuse(self.refusal(of: peer, refusal.description))
            }
        }
        return .pending
    }

    private func release(_ uid: UInt32) {
        room.leave()
        connectionsPerUser[uid] = connectionsPerUser[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Looks nobody up any more.
    func stop() { lookups.stop() }

    private func refusal(of peer: Peer, _ reason: String) -> VarlinkError {
        log.notice(
            "refused a connection to the management socket: \(reason)",
            metadata: ["PID": "\(peer.pid)", "UID": "\(peer.uid)"])
        return .permissionDenied
    }
}
