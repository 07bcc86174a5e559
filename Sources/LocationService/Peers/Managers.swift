internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
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
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()

    init(lookups: PeerLookups, room: ConnectionRoom, log: Logger) {
        self.lookups = lookups
        quota = ConnectionQuota(in: room)
        self.log = log
    }

    /// Finds out who made a connection, and has its calls taken up then. Throws what the peer is told where it is
    /// refused at once.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        let peer = connection.peer
        try quota.enter(connection, limit: peer.uid == 0 ? .max : Self.connectionsPerUser)
        if peer.uid == 0 { return .admitted }
        let process: ProcessDescriptor
        do throws(IdentityRefusal) { process = try peer.openProcess() } catch {
            throw refusal(of: peer, error.description)
        }
        connection.peer.pidfd = nil
        let lookup = lookups.facts(of: process, uid: peer.uid, wantsLogin: false)
        connection.onClose = { [quota] in
            lookup.withdraw()
            quota.leave(peer.uid)
        }
        lookup.result.assumeIsolated().whenSuccess { facts in
            guard !connection.isClosed else { return }
            switch facts {
            case .success(let facts) where facts.identity.strength == .sandboxed:
                connection.refuse(self.refusal(of: peer, "it is sandboxed"))
            case .success: connection.admit()
            case .failure(let refusal): connection.refuse(self.refusal(of: peer, refusal.description))
            }
        }
        return .pending
    }

    /// Looks nobody up any more.
    func stop() { lookups.stop() }

    private func refusal(of peer: Peer, _ reason: String) -> VarlinkError {
        refusals.report("to the management socket: \(reason)", peer, to: log)
        return .permissionDenied
    }
}
