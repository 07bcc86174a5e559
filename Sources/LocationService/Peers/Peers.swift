internal import Authorization
internal import CLinux
internal import Glibc
internal import Logging
internal import Varlink

/// Who is connected to the public socket, and as which app.
///
/// A connection keeps the identity that it was accepted with, and is closed when that process is gone.
final class Peers {
    /// How many connections over a user's limit are told why they are refused, at a time.
    static let refusalsAtOnce = 32

    /// The apps that have connections.
    private(set) var apps: [AppKey: ConnectedApp] = [:]
    /// Connections and calls that were refused.
    private(set) var refused = 0
    /// What holds for connections from now on.
    var limits: Limits
    /// What looks at the processes.
    let identifier: any PeerIdentifying
    /// Told when an app has made its first connection.
    var onFirstConnection: ((AppKey) -> Void)?
    /// Told when a connection was closed on which a process had said that it is in the background.
    var onDeclarationEnded: (() -> Void)?
    /// Told when a process has no connections any more: its id may become another one's.
    var onProcessForgotten: ((pid_t) -> Void)?
    /// Told when an app's last connection was closed.
    var onLastConnectionClosed: ((AppKey) -> Void)?

    private let log: Logger
    private var refusals = RefusalLog()
    private let watch: PeerWatch
    private var connections: [UInt64: Connection] = [:]
    private var connectionsPerUser: [UInt32: Int] = [:]
    private var processes: [pid_t: ConnectedProcess] = [:]
    private var nextID: UInt64 = 1

    /// A process and its connections. One descriptor serves them all: ten thousand streams of one process take ten
    /// thousand descriptors, not twice as many.
    private struct ConnectedProcess {
        let descriptor: ProcessDescriptor
        var connections: Set<UInt64> = []
    }

    init(identifier: any PeerIdentifying, limits: Limits, log: Logger) throws(PeerWatch.Failure) {
        self.identifier = identifier
        self.limits = limits
        self.log = log
        watch = try PeerWatch()
    }

    /// The process with that id, while it has connections.
    func process(_ pid: pid_t) -> ProcessDescriptor? { processes[pid]?.descriptor }

    private func forgetProcess(_ pid: pid_t) {
        processes[pid] = nil
        onProcessForgotten?(pid)
    }

    /// How many connections are open.
    var connectionCount: Int { connections.count }

    /// Finds out who made a connection. Throws what the peer is told where it is refused.
    func admit(_ connection: Connection) throws(VarlinkError) {
        let peer = connection.peer
        let open = connectionsPerUser[peer.uid, default: 0]
        connectionsPerUser[peer.uid] = open + 1
        connection.onClose = { [unowned self] in release(peer.uid) }
        guard open < limits.connectionsPerUser else {
            refused += 1
            // Attack: a user who keeps connecting would fill the daemon's descriptors with connections that wait to be
            // told of their refusal. Some are told; the others are closed.
            if open >= limits.connectionsPerUser + Self.refusalsAtOnce { connection.close() }
            throw .limitExceeded("connectionsPerUser")
        }
        do {
            let key = AppKey(uid: peer.uid, app: try identity(of: peer))
            add(connection, to: apps[key] ?? ConnectedApp(key: key))
            // The process' own descriptor is among those that are watched.
            connection.peer.pidfd = nil
        } catch {
            refused += 1
            if processes[peer.pid]?.connections.isEmpty == true { forgetProcess(peer.pid) }
            refusals.report("\(error)", peer, to: log)
            throw .permissionDenied
        }
    }

    /// Closes the connections of processes that have ended. To be called before anything is delivered.
    func closeConnectionsOfEndedProcesses() {
        for pid in watch.reap() { closeConnections(of: pid_t(truncatingIfNeeded: pid)) }
    }

    /// Whether the process that made the connection still runs. Where it does not, its connections are closed.
    ///
    /// A connection whose process' id is another's by now was closed when that one connected, and takes no calls.
    func isRunning(processOf connection: Connection) -> Bool {
        let pid = connection.peer.pid
        if processes[pid]?.descriptor.isAlive == true { return true }
        closeConnections(of: pid)
        connection.close()
        return false
    }

    private func closeConnections(of pid: pid_t) {
        for id in processes[pid]?.connections ?? [] { connections[id]?.close() }
        forgetProcess(pid)
    }

    private func identity(of peer: Peer) throws -> AppIdentity {
        try identifier.identity(of: try process(of: peer), uid: peer.uid)
    }

    /// The process that made the connection, watched from now on.
    private func process(of peer: Peer) throws -> ProcessDescriptor {
        let own = try peer.pidfd ?? Self.openProcess(peer.pid)
        guard own.isAlive else { throw IdentityRefusal.processGone }
        if let known = processes[peer.pid] {
            // Both are alive and have the same id, so they are the same process.
            if known.descriptor.isAlive { return known.descriptor }
            closeConnections(of: peer.pid)
        }
        try watch.add(pidfd: own.descriptor, id: UInt64(UInt32(bitPattern: peer.pid)))
        processes[peer.pid] = ConnectedProcess(descriptor: own)
        return own
    }

    /// A pidfd where the kernel has no SO_PEERPIDFD (before Linux 6.5). The process may have been replaced between its
    /// connecting and this call; from here on it cannot be.
    private static func openProcess(_ pid: pid_t) throws(IdentityRefusal) -> ProcessDescriptor {
        let descriptor = process_open(pid)
        guard descriptor >= 0 else { throw .processGone }
        return ProcessDescriptor(owning: descriptor)
    }

    private func add(_ connection: Connection, to app: ConnectedApp) {
        let id = nextID
        nextID += 1
        let (pid, uid) = (connection.peer.pid, app.key.uid)
        apps[app.key] = app
        connections[id] = connection
        processes[pid]?.connections.insert(id)
        app.connections += 1
        connection.userData = app
        if app.connections == 1 { onFirstConnection?(app.key) }
        connection.onClose = { [unowned self, unowned connection] in
            connections[id] = nil
            release(uid)
            forget(id, of: pid)
            let hadDeclared = app.forget(connection)
            app.connections -= 1
            if hadDeclared { onDeclarationEnded?() }
            guard app.connections == 0 else { return }
            apps[app.key] = nil
            onLastConnectionClosed?(app.key)
        }
    }

    private func release(_ uid: UInt32) {
        connectionsPerUser[uid] = connectionsPerUser[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// A connection is closed. A process without any is not watched any more: its descriptor is closed.
    private func forget(_ id: UInt64, of pid: pid_t) {
        guard processes[pid]?.connections.remove(id) != nil, processes[pid]?.connections.isEmpty == true else { return }
        forgetProcess(pid)
    }
}
