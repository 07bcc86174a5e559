internal import Authorization
internal import CLinux
internal import Glibc
internal import Logging
internal import Varlink

/// Who is connected to the public socket, and as which app.
///
/// A connection keeps the identity that it was accepted with, and is closed when that process is gone.
final class Peers {
    /// The apps that have connections.
    private(set) var apps: [AppKey: ConnectedApp] = [:]
    /// Connections and calls that were refused.
    private(set) var refused = 0
    /// What holds for connections from now on.
    var limits: Limits
    /// Told when an app's last connection was closed.
    var onLastConnectionClosed: ((AppKey) -> Void)?

    private let identifier: any PeerIdentifying
    private let log: Logger
    private let watch: PeerWatch
    private var connections: [UInt64: Connection] = [:]
    private var connectionsPerUser: [UInt32: Int] = [:]
    private var nextID: UInt64 = 1

    init(identifier: any PeerIdentifying, limits: Limits, log: Logger) throws(PeerWatch.Failure) {
        self.identifier = identifier
        self.limits = limits
        self.log = log
        watch = try PeerWatch()
    }

    /// How many connections are open.
    var connectionCount: Int { connections.count }

    /// Finds out who made a connection. Throws what the peer is told where it is refused.
    func admit(_ connection: Connection) throws(VarlinkError) {
        let peer = connection.peer
        guard connectionsPerUser[peer.uid, default: 0] < limits.connectionsPerUser else {
            refused += 1
            throw .limitExceeded("connectionsPerUser")
        }
        do {
            let key = AppKey(uid: peer.uid, app: try identity(of: peer))
            let app = apps[key] ?? ConnectedApp(key: key)
            try watch(connection, as: app)
        } catch {
            refused += 1
            log.notice("refused a connection: \(error)", metadata: ["PID": "\(peer.pid)", "UID": "\(peer.uid)"])
            throw .permissionDenied
        }
    }

    /// Closes the connections of processes that have ended. To be called before anything is delivered.
    func closeConnectionsOfEndedProcesses() {
        for id in watch.reap() { connections[id]?.close() }
    }

    private func identity(of peer: Peer) throws -> AppIdentity {
        let process = try peer.pidfd ?? Self.openProcess(peer.pid)
        return try identifier.identify(process, pid: peer.pid, uid: peer.uid)
    }

    /// A pidfd where the kernel has no SO_PEERPIDFD (before Linux 6.5). The process may have been replaced between its
    /// connecting and this call; from here on it cannot be.
    private static func openProcess(_ pid: pid_t) throws(IdentityRefusal) -> ProcessDescriptor {
        let descriptor = process_open(pid)
        guard descriptor >= 0 else { throw .processGone }
        return ProcessDescriptor(owning: descriptor)
    }

    private func watch(_ connection: Connection, as app: ConnectedApp) throws {
        let id = nextID
        nextID += 1
        if let pidfd = connection.peer.pidfd { try watch.add(pidfd: pidfd.descriptor, id: id) }
        let uid = app.key.uid
        apps[app.key] = app
        connections[id] = connection
        connectionsPerUser[uid, default: 0] += 1
        app.connections += 1
        connection.userData = app
        connection.onClose = { [unowned self] in
            connections[id] = nil
            connectionsPerUser[uid] = connectionsPerUser[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
            app.connections -= 1
            guard app.connections == 0 else { return }
            apps[app.key] = nil
            onLastConnectionClosed?(app.key)
        }
    }
}
