internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
package import LocationModel
internal import Logging
internal import NIOCore
internal import PeerIdentity

/// Which apps are connected, through whatever front.
///
/// A connection keeps the identity that it was admitted with, and is closed when that process is gone.
package final class Peers {
    /// The apps that have connections.
    package private(set) var apps: [AppKey: ConnectedApp] = [:]
    /// Connections and calls that were refused.
    package private(set) var refused = 0
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
    package let userNames: UserNames
    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    private let watch: PeerWatch
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var processes: [pid_t: ConnectedProcess] = [:]

    /// Takes back the look-ups that are under way, by the connection.
    private var pending: [ObjectIdentifier: () -> Void] = [:]

    /// A connection that was not refused at once.
    private struct Connection {
        let client: any Client
        /// `nil` before that is known, and where it was refused.
        var app: ConnectedApp?
    }

    /// A process and its connections. One descriptor serves them all: ten thousand streams of one process take ten
    /// thousand descriptors, not twice as many.
    private struct ConnectedProcess {
        let descriptor: ProcessDescriptor
        let uid: UInt32
        var executable: String?
        /// A process that ends costs what its own connections cost, not a search through everybody's.
        var connections: Set<ObjectIdentifier> = []
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
    package func executable(_ pid: Int32) -> String? { processes[pid]?.executable }

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
    package var connectionCount: Int { connections.count }

    /// Finds out which app a client is. `body` is called with that, or with why it is refused, unless the client is closed
    /// before. Throws where it is refused at once.
    ///
    /// The front takes no call up before, and calls ``closed(_:)`` when the connection is closed: in each case, once.
    package func admit(
        _ client: any Client, _ body: @escaping (Result<ConnectedApp, AdmissionRefusal>) -> Void
    ) throws(AdmissionRefusal) {
        do throws(AdmissionRefusal) { try quota.enter(client, limit: limits.connectionsPerUser) } catch {
            refused += 1
            throw error
        }
        let process: ProcessDescriptor
        do { process = try self.process(of: client) } catch {
            noteRefusal(of: client, "\(error)")
            throw .permissionDenied
        }
        userNames.find(client.uid)
        let lookup = lookups.facts(of: process, uid: client.uid, wantsLogin: wantsLogin())
        let id = ObjectIdentifier(client)
        connections[id] = Connection(client: client)
        pending[id] = lookup.withdraw
        processes[client.pid]?.connections.insert(id)
        lookup.result.assumeIsolated().whenSuccess { facts in
            // Holds the client: no other one has its identifier.
            guard self.withdrawal(of: client) != nil else { return }
            let app = self.app(of: client, facts)
            self.connections[ObjectIdentifier(client)]?.app = try? app.get()
            body(app)
        }
    }

    private func app(
        of client: any Client, _ facts: Result<PeerFacts, IdentityRefusal>
    ) -> Result<ConnectedApp, AdmissionRefusal> {
        switch facts {
        case .failure(let refusal):
            noteRefusal(of: client, "\(refusal)")
            return .failure(.permissionDenied)
        case .success(let facts):
            let key = AppKey(uid: client.uid, app: facts.identity)
            let app = apps[key] ?? ConnectedApp(key: key)
            // Attack: one app takes all connections that its user may have, and the user's other apps get none.
            guard app.connections < limits.connectionsPerApp else {
                refused += 1
                return .failure(.limitExceeded("connectionsPerApp"))
            }
            processes[client.pid]?.executable = facts.executable
            if case .success(let owner) = facts.loginOwner { onLogin?(client.pid, owner) }
            apps[key] = app
            app.connections += 1
            if app.connections == 1 { onFirstConnection?(key) }
            return .success(app)
        }
    }

    /// A client's connection is closed.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        let id = ObjectIdentifier(client)
        guard let connection = connections.removeValue(forKey: id) else { return }
        withdrawal(of: client)?()
        // A process without any is not watched any more: its descriptor is closed. The id may be another one's by now.
        if processes[client.pid]?.connections.remove(id) != nil, processes[client.pid]?.connections.isEmpty == true {
            forgetProcess(client.pid)
        }
        if let app = connection.app { closed(client, of: app) }
    }

    /// Removes and returns what takes back the look-up that is under way for a client, if one is.
    private func withdrawal(of client: any Client) -> (() -> Void)? {
        defer {
            // A crowd that came at once would leave its room behind.
            if pending.isEmpty { pending = [:] }
        }
        return pending.removeValue(forKey: ObjectIdentifier(client))
    }

    private func closed(_ client: any Client, of app: ConnectedApp) {
        let hadDeclared = app.forget(client)
        app.connections -= 1
        if hadDeclared { onDeclarationEnded?(app) }
        guard app.connections == 0 else { return }
        apps[app.key] = nil
        onLastConnectionClosed?(app.key)
    }

    private func noteRefusal(of client: any Client, _ reason: String) {
        refused += 1
        refusals.report(reason, client, to: log)
    }

    /// Closes the connections of processes that have ended. To be called before anything is delivered.
    func closeConnectionsOfEndedProcesses() {
        for pid in watch.reap() { closeConnections(of: pid_t(truncatingIfNeeded: pid)) }
    }

    /// Returns whether the process that made a connection still runs. Where it does not, its connections are closed.
    ///
    /// A connection whose process' id is another's by now was closed when that one connected, and takes no calls.
    package func isRunning(_ client: any Client) -> Bool {
        if processes[client.pid]?.descriptor.isAlive == true { return true }
        closeConnections(of: client.pid)
        client.close()
        return false
    }

    private func closeConnections(of pid: pid_t) {
        for id in processes[pid]?.connections ?? [] { connections[id]?.client.close() }
        forgetProcess(pid)
    }

    /// The process of a client, watched from now on.
    private func process(of client: any Client) throws -> ProcessDescriptor {
        let own = try client.openProcess()
        if let known = processes[client.pid] {
            // Both are alive and have the same id, so they are the same process.
            if known.descriptor.isAlive { return known.descriptor }
            closeConnections(of: client.pid)
        }
        try watch.add(pidfd: own.descriptor, id: UInt64(UInt32(bitPattern: client.pid)))
        processes[client.pid] = ConnectedProcess(descriptor: own, uid: client.uid)
        return own
    }
}
