internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import PeerIdentity
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
    /// Told when an app has made its first connection.
    var onFirstConnection: ((AppKey) -> Void)?
    /// Told when a connection was closed on which a process of the app had said that it is in the background.
    var onDeclarationEnded: ((ConnectedApp) -> Void)?
    /// Told when the login that keeps a process was looked up, before anything of the process is taken up.
    var onLogin: ((pid_t, Login.Owner?) -> Void)?
    /// Returns whether the login that keeps a process counts.
    var wantsLogin: () -> Bool = { false }
    /// Told when a process has no connections any more: its id may become another one's.
    var onProcessForgotten: ((pid_t) -> Void)?
    /// Told when an app's last connection was closed.
    var onLastConnectionClosed: ((AppKey) -> Void)?

    /// The names of those who have connected.
    let userNames: UserNames
    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    private let watch: PeerWatch
    private var connections: [UInt64: Connection] = [:]
    private var processes: [pid_t: ConnectedProcess] = [:]
    private var nextID: UInt64 = 1

    /// A process and its connections. One descriptor serves them all: ten thousand streams of one process take ten
    /// thousand descriptors, not twice as many.
    private struct ConnectedProcess {
        let descriptor: ProcessDescriptor
        let uid: UInt32
        var executable: String?
        var connections: Set<UInt64> = []
    }

    init(
        lookups: PeerLookups, room: ConnectionRoom, limits: Limits, on loop: any EventLoop, log: Logger
    ) throws(PeerWatch.Failure) {
        self.lookups = lookups
        userNames = UserNames(on: loop)
        quota = ConnectionQuota(in: room)
        self.limits = limits
        self.log = log
        watch = try PeerWatch(on: loop)
        watch.onEnded = { [unowned self] in closeConnectionsOfEndedProcesses() }
    }

    /// The process with that id, while it has connections.
    func process(_ pid: pid_t) -> ProcessDescriptor? { processes[pid]?.descriptor }

    /// The file that the process with that id ran when it connected last; `nil` where it could not be read.
    func executable(_ pid: pid_t) -> String? { processes[pid]?.executable }

    /// Finds out the login that keeps the process with that id, while it has connections.
    func loginOwner(_ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void) {
        guard let process = processes[pid] else { return answer(.failure(Login.Failure(errno: ESRCH))) }
        lookups.loginOwner(of: process.descriptor, uid: process.uid).assumeIsolated().whenSuccess(answer)
    }

    /// Watches no process any more, and looks none up.
    func stop() {
        watch.stop()
        lookups.stop()
        userNames.stop()
    }

    private func forgetProcess(_ pid: pid_t) {
        processes[pid] = nil
        onProcessForgotten?(pid)
    }

    /// How many connections are open.
    var connectionCount: Int { connections.count }

    /// Finds out who made a connection, and has its calls taken up then. Throws what the peer is told where it is
    /// refused at once.
    func admit(_ connection: Connection) throws(VarlinkError) -> VarlinkServer.Admission {
        let peer = connection.peer
        do throws(VarlinkError) { try quota.enter(connection, limit: limits.connectionsPerUser) } catch {
            refused += 1
            throw error
        }
        let process: ProcessDescriptor
        do { process = try self.process(of: peer) } catch {
            noteRefusal(of: peer, "\(error)")
            throw .permissionDenied
        }
        userNames.find(peer.uid)
        let id = keep(connection)
        // The process' own descriptor is among those that are watched.
        connection.peer.pidfd = nil
        let lookup = lookups.facts(of: process, uid: peer.uid, wantsLogin: wantsLogin())
        connection.onClose = { [unowned self] in
            lookup.withdraw()
            closed(id, peer.pid, peer.uid)
        }
        lookup.result.assumeIsolated().whenSuccess { facts in
            if !connection.isClosed { self.admit(connection, id, facts) }
        }
        return .pending
    }

    private func admit(_ connection: Connection, _ id: UInt64, _ facts: Result<PeerFacts, IdentityRefusal>) {
        let peer = connection.peer
        switch facts {
        case .failure(let refusal):
            noteRefusal(of: peer, "\(refusal)")
            connection.refuse(.permissionDenied)
        case .success(let facts):
            let key = AppKey(uid: peer.uid, app: facts.identity)
            let app = apps[key] ?? ConnectedApp(key: key)
            // Attack: one app takes all connections that its user may have, and the user's other apps get none.
            guard app.connections < limits.connectionsPerApp else {
                refused += 1
                return connection.refuse(.location(.limitExceeded(limit: "connectionsPerApp")))
            }
            processes[peer.pid]?.executable = facts.executable
            if case .success(let owner) = facts.loginOwner { onLogin?(peer.pid, owner) }
            add(connection, id, to: app)
            connection.admit()
        }
    }

    private func noteRefusal(of peer: Peer, _ reason: String) {
        refused += 1
        refusals.report(reason, peer, to: log)
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

    /// The process that made the connection, watched from now on.
    private func process(of peer: Peer) throws -> ProcessDescriptor {
        let own = try peer.openProcess()
        if let known = processes[peer.pid] {
            // Both are alive and have the same id, so they are the same process.
            if known.descriptor.isAlive { return known.descriptor }
            closeConnections(of: peer.pid)
        }
        try watch.add(pidfd: own.descriptor, id: UInt64(UInt32(bitPattern: peer.pid)))
        processes[peer.pid] = ConnectedProcess(descriptor: own, uid: peer.uid)
        return own
    }

    /// Keeps a connection among those of its process: ``closed(_:_:_:)`` follows.
    private func keep(_ connection: Connection) -> UInt64 {
        let id = nextID
        nextID += 1
        connections[id] = connection
        processes[connection.peer.pid]?.connections.insert(id)
        return id
    }

    private func closed(_ id: UInt64, _ pid: pid_t, _ uid: UInt32) {
        connections[id] = nil
        quota.leave(uid)
        forget(id, of: pid)
    }

    private func add(_ connection: Connection, _ id: UInt64, to app: ConnectedApp) {
        let (pid, uid) = (connection.peer.pid, app.key.uid)
        apps[app.key] = app
        app.connections += 1
        connection.userData = app
        if app.connections == 1 { onFirstConnection?(app.key) }
        connection.onClose = { [unowned self, unowned connection] in
            closed(id, pid, uid)
            let hadDeclared = app.forget(connection)
            app.connections -= 1
            if hadDeclared { onDeclarationEnded?(app) }
            guard app.connections == 0 else { return }
            apps[app.key] = nil
            onLastConnectionClosed?(app.key)
        }
    }

    /// A connection is closed. A process without any is not watched any more: its descriptor is closed.
    private func forget(_ id: UInt64, of pid: pid_t) {
        guard processes[pid]?.connections.remove(id) != nil, processes[pid]?.connections.isEmpty == true else { return }
        forgetProcess(pid)
    }
}
