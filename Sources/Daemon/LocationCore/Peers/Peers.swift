package import AuthorizationPolicy
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
/// A connection keeps the identity that it was admitted with, and is closed when its process has ended, or the last
/// process that held its socket when it was admitted.
package final class Peers {
    /// The apps that have connections.
    package private(set) var apps: [AppKey: ConnectedApp] = [:]
    /// The same apps in the order they connected, which is also the order of deliveries.
    package var connected: [ConnectedApp] { _connected }
    private var _connected: [ConnectedApp] = []
    /// The number of connections that were refused.
    package private(set) var refused = 0
    /// The limits for new connections.
    var limits: Limits
    /// Called when an app has made its first connection.
    var onFirstConnection: ((AppKey) -> Void)?
    /// Called when a connection with a background declaration of the app was closed.
    var onDeclarationEnded: ((ConnectedApp) -> Void)?
    /// Called when the login of a process was looked up, before any call of the process is handled.
    var onLogin: ((pid_t, Login.Owner?) -> Void)?
    /// Returns whether the logins of processes are needed.
    var wantsLogin: () -> Bool = { false }
    /// Called when a process no longer has connections, and its id may pass to another process.
    var onProcessForgotten: ((pid_t) -> Void)?
    /// Called when a process with a known start has connected, after the app's first connection was reported and before
    /// any call of the process is handled.
    var onProcess: ((AppKey, ProcessStart) -> Void)?
    /// Called when an app that is connected has one connection more or less than before.
    var onConnectionsChanged: ((ConnectedApp) -> Void)?
    /// Called when an app's last connection was closed.
    var onLastConnectionClosed: ((AppKey) -> Void)?

    /// The turns of all apps' connections on the event loop, whichever front they use.
    package let turns: TurnScheduler
    /// The names of the users who have connected.
    package let userNames: UserNames
    let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    let processes: ConnectedProcesses
    private var connections: [ObjectIdentifier: Connection] = [:]

    /// The functions that withdraw the look-ups under way, by connection.
    private var pending: [ObjectIdentifier: () -> Void] = [:]

    /// A connection that was not refused at once.
    private struct Connection {
        let client: any Client
        /// The app, or `nil` if it is not known yet or was refused.
        var app: ConnectedApp?
        /// The number of its processes that take a descriptor besides the first one.
        var furtherProcesses = 0
    }

    init(
        lookups: PeerLookups, sharedLimit: SharedConnectionLimit, limits: Limits, poller: DescriptorPoller,
        on loop: any EventLoop, log: Logger
    ) throws(SystemCallError) {
        self.lookups = lookups
        let quota = ConnectionQuota(within: sharedLimit)
        self.quota = quota
        turns = TurnScheduler(on: loop) { quota.owner(of: $0) }
        userNames = UserNames(on: loop)
        self.limits = limits
        self.log = log
        processes = try ConnectedProcesses(poller: poller)
        processes.onEnded = { [unowned self] in closeConnectionsOfEndedProcesses() }
        processes.onConnectionEnded = { [unowned self] in connections[$0]?.client.close() }
        processes.onForgotten = { [unowned self] in onProcessForgotten?($0) }
    }

    /// Stops watching processes and looking them up.
    func stop() {
        processes.stop()
        lookups.stop()
        userNames.stop()
    }

    /// The number of open connections.
    package var connectionCount: Int { connections.count }

    /// Returns whether a new connection of a user is handled at all. The front asks this before it sets anything up.
    package func mayConnect(_ uid: UInt32) -> Bool {
        guard !quota.admits(uid, limit: limits.connectionsPerUser, at: turns.eventLoop.now.seconds) else { return true }
        refused += 1
        refusals.report(Self.connectsTooOften, uid: uid, to: log)
        return false
    }

    static let connectsTooOften =
        "its user connects too often: more than \(ConnectionQuota.connectionsPerSecond) times a second"

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
        let lookup: BlockingWork.Request<Result<PeerFacts, IdentityRefusal>>
        do { lookup = try facts(of: client) } catch {
            noteRefusal(of: client, "\(error)")
            throw .permissionDenied
        }
        userNames.find(client.uid)
        let id = ObjectIdentifier(client)
        connections[id] = Connection(client: client)
        pending[id] = lookup.withdraw
        lookup.result.assumeIsolated().whenSuccess { facts in
            // This closure retains the client, so no other client can have its identifier.
            guard self.withdrawal(of: client) != nil else { return }
            let app = self.app(of: client, facts)
            self.connections[ObjectIdentifier(client)]?.app = try? app.get()
            body(app)
        }
    }

    /// Looks up a client, and begins to watch its process if that is known.
    private func facts(
        of client: any Client
    ) throws -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        switch client.evidence {
        case .process:
            let process = try processes.add(client.openProcess(), client.pid, of: client)
            return lookups.facts(of: process, uid: client.uid, wantsLogin: wantsLogin())
        case .socket(let owner): return lookups.facts(of: owner, wantsLogin: wantsLogin())
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
            do { try record(facts.processes, of: client) } catch let refusal as AdmissionRefusal {
                refused += 1
                return .failure(refusal)
            } catch {
                noteRefusal(of: client, "\(error)")
                return .failure(.permissionDenied)
            }
            if apps.updateValue(app, forKey: key) == nil { _connected = _connected + [app] }
            app.connected(client)
            if app.connections == 1 { onFirstConnection?(key) }
            for start in processes.starts(of: processes.ids(of: client)) { onProcess?(key, start) }
            onConnectionsChanged?(app)
            return .success(app)
        }
    }

    /// Records the facts about a client's processes, and begins to watch the holders of its socket. Throws if these
    /// have ended or cannot be watched.
    private func record(_ facts: [ProcessFacts], of client: any Client) throws {
        if case .socket = client.evidence { try watch(facts.map(\.process), of: client) }
        for (pid, facts) in zip(processes.ids(of: client), facts) {
            processes.set(executable: facts.executable, startTicks: facts.startTime, of: pid)
            if case .success(let owner) = facts.loginOwner { onLogin?(pid, owner) }
        }
    }

    /// Watches the processes that hold a client's socket.
    ///
    /// Attack: many processes hold each socket of a user, until no descriptor is left for other users. So each process
    /// beyond the first counts as a connection of its user.
    private func watch(_ holders: [ProcessDescriptor], of client: any Client) throws {
        connections[ObjectIdentifier(client)]?.furtherProcesses = holders.count - 1
        try quota.enter(client.uid, processes: holders.count - 1, limit: limits.connectionsPerUser)
        for holder in holders {
            let pid = process_id(holder.descriptor)
            guard pid > 0 else { throw IdentityRefusal.processGone }
            _ = try processes.add(holder, pid, of: client)
        }
    }

    /// Handles the end of a client's connection.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        guard let connection = connections.removeValue(forKey: ObjectIdentifier(client)) else { return }
        quota.leave(client.uid, processes: connection.furtherProcesses)
        withdrawal(of: client)?()
        processes.remove(client)
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
        let hadDeclared = app.disconnected(client)
        if hadDeclared { onDeclarationEnded?(app) }
        guard app.connections == 0 else {
            onConnectionsChanged?(app)
            return
        }
        apps[app.key] = nil
        _connected = _connected.filter { $0 !== app }
        onLastConnectionClosed?(app.key)
    }

    /// Counts and logs the refusal of a connection whose user is unknown.
    package func noteRefusal(_ reason: IdentityRefusal) {
        refused += 1
        refusals.report("\(reason)", uid: nil, to: log)
    }

    private func noteRefusal(of client: any Client, _ reason: String) {
        refused += 1
        refusals.report(reason, client, to: log)
    }
}
