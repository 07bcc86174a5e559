internal import AuthorizationPolicy
internal import CLinux
package import EventLoopSupport
internal import Glibc
internal import Linux
package import LocationModel
internal import Logging
internal import NIOCore
internal import PeerIdentity

/// The apps that are connected, through any front.
///
/// A connection keeps the identity that it was admitted with, and is closed when its process has ended.
package final class Peers {
    /// The apps that have connections.
    package private(set) var apps: [AppKey: ConnectedApp] = [:]
    /// The number of connections that were refused.
    package private(set) var refused = 0
    /// The limits for connections from now on.
    var limits: Limits
    /// Called when an app has made its first connection.
    var onFirstConnection: ((AppKey) -> Void)?
    /// Called when a connection was closed on which a process of the app had declared that it is in the background.
    var onDeclarationEnded: ((ConnectedApp) -> Void)?
    /// Called when the login of a process was looked up, before any call of the process is handled.
    var onLogin: ((pid_t, Login.Owner?) -> Void)?
    /// Returns whether the logins of processes are needed.
    var wantsLogin: () -> Bool = { false }
    /// Called when a process has no connections any more, and its id may become another process's.
    var onProcessForgotten: ((pid_t) -> Void)?
    /// Called when an app's last connection was closed.
    var onLastConnectionClosed: ((AppKey) -> Void)?

    /// The turns of all apps' connections on the event loop, whichever front they use.
    package let turns: TurnScheduler
    /// The names of the users who have connected.
    package let userNames: UserNames
    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    private let watch: PeerWatch
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var processes: [pid_t: ConnectedProcess] = [:]

    /// The functions that withdraw the look-ups under way, by connection.
    private var pending: [ObjectIdentifier: () -> Void] = [:]

    /// A connection that was not refused at once.
    private struct Connection {
        let client: any Client
        /// The app, or `nil` if it is not known yet or was refused.
        var app: ConnectedApp?
    }

    /// A process and its connections. One descriptor serves them all: ten thousand streams of one process need ten
    /// thousand descriptors, not twice as many.
    private struct ConnectedProcess {
        let descriptor: ProcessDescriptor
        let uid: UInt32
        var executable: String?
        /// With these, the end of a process costs what its own connections cost, not a search through everybody's.
        var connections: Set<ObjectIdentifier> = []
    }

    init(
        lookups: PeerLookups, room: SharedConnectionLimit, limits: Limits, on loop: any EventLoop, log: Logger
    ) throws(PeerWatch.Failure) {
        self.lookups = lookups
        turns = TurnScheduler(on: loop)
        userNames = UserNames(on: loop)
        quota = ConnectionQuota(in: room)
        self.limits = limits
        self.log = log
        watch = try PeerWatch(on: loop)
        watch.onEnded = { [unowned self] in closeConnectionsOfEndedProcesses() }
    }

    /// Returns the ids of the processes behind a connection that are running.
    package func processes(of client: any Client) -> [Int32] {
        processes[client.pid].map { _ in [client.pid] } ?? []
    }

    /// Returns the process with that id, while it has connections.
    func process(_ pid: pid_t) -> ProcessDescriptor? { processes[pid]?.descriptor }

    /// Returns the file that the process with that id ran when it last connected, or `nil` if it could not be read.
    package func executable(_ pid: Int32) -> String? { processes[pid]?.executable }

    /// Looks up the login of the process with that id, while it has connections.
    func loginOwner(_ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void) {
        guard let process = processes[pid] else { return answer(.failure(Login.Failure(errno: ESRCH))) }
        lookups.loginOwner(of: process.descriptor, uid: process.uid).assumeIsolated().whenSuccess(answer)
    }

    /// Stops watching processes and looking them up.
    func stop() {
        watch.stop()
        lookups.stop()
        userNames.stop()
    }

    private func forgetProcess(_ pid: pid_t) {
        processes[pid] = nil
        onProcessForgotten?(pid)
    }

    /// The number of open connections.
    package var connectionCount: Int { connections.count }

    /// Determines the app of a client. `body` is called with the app, or with the reason for a refusal, unless the
    /// client is closed first. Throws if the client is refused at once.
    ///
    /// The front handles no call before that. It calls ``closed(_:)`` once when the connection is closed, in any
    /// case.
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
            // This closure retains the client, so no other client can have its identifier.
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
            // Attack: one app uses all the connections that its user may have, and the user's other apps get none.
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

    /// Handles the end of a client's connection.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        let id = ObjectIdentifier(client)
        guard let connection = connections.removeValue(forKey: id) else { return }
        withdrawal(of: client)?()
        // A process without connections is not watched, and its descriptor is closed. Its id may be another's by now.
        if processes[client.pid]?.connections.remove(id) != nil, processes[client.pid]?.connections.isEmpty == true {
            forgetProcess(client.pid)
        }
        if let app = connection.app { closed(client, of: app) }
    }

    /// Removes and returns the function that withdraws the client's look-up, or `nil` if none is under way.
    private func withdrawal(of client: any Client) -> (() -> Void)? {
        defer {
            // After many look-ups at once, the dictionary would keep its memory.
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

    /// Returns whether the process that made a connection is still running. If it is not, its connections are closed.
    ///
    /// A connection whose process id is another's by now was closed when that process connected, and gets no calls.
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

    /// Returns the process of a client, which is watched from now on.
    private func process(of client: any Client) throws -> ProcessDescriptor {
        let own = try client.openProcess()
        // Attack: processes of pid namespaces that the daemon cannot see into all have the id 0, and the second one
        // would get the identity of the first.
        guard client.pid > 0 else { throw SystemCallError("getsockopt(SO_PEERCRED)", ESRCH) }
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
