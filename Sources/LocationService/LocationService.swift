public import Authorization
internal import Glibc
internal import LocationProtocol
public import Logging
public import NIOCore
internal import Positioning
public import Receivers
public import Varlink

/// The location service: receivers in, authorization and the rules of each app in the middle, Varlink out.
///
/// An actor on one event loop, on which everything runs: reading a receiver, deciding, writing to every subscriber.
public actor LocationService {
    /// What the service is made of.
    public struct Settings: Sendable {
        /// A receiver and what people call it; the source's own name where `name` is `nil`.
        public struct ReceiverEntry: Sendable, Hashable {
            /// Where the fixes come from.
            public var source: ReceiverSpecification
            /// What people call it.
            public var name: String?
            /// The commands that it saves power by; nothing is written to it where there are none.
            public var power: ReceiverPower?

            /// That source under that name.
            public init(source: ReceiverSpecification, name: String? = nil, power: ReceiverPower? = nil) {
                self.source = source
                self.name = name
                self.power = power
            }
        }

        /// What makes an app be in use.
        public enum InUse: String, Sendable, CaseIterable {
            /// A login session that is active stands behind it; where there is no logind, a connection.
            case session
            /// A connection.
            case connected
        }

        /// Where the two sockets are made.
        public var runtimeDirectory: String
        /// Where the database is.
        public var stateDirectory: String
        /// In the order in which they are preferred.
        public var receivers: [ReceiverEntry]
        /// Whether every receiver that udev knows is used too, after those.
        public var discovers = false
        /// What users and apps may take.
        public var limits: Limits
        /// What makes an app be in use.
        public var inUse = InUse.session
        /// What the administrator forbids.
        public var restrictions: Set<Restriction> = []
        /// What apps say about themselves.
        public var manifests: [AppIdentity: AppManifest] = [:]
        /// How long there has to be nothing to do before the service ends, in seconds; `nil`: never. It ends only where
        /// a service manager has its sockets, and starts it for the next client.
        public var exitWhenIdle: Int?
        /// The socket of locationd-peers, which looks at other users' processes; `nil` where the daemon does that
        /// itself.
        public var peersSocket: String?
        /// The version that the service tells.
        public var version: String

        /// Settings with these parts.
        public init(
            runtimeDirectory: String, stateDirectory: String, receivers: [ReceiverEntry], limits: Limits,
            version: String
        ) {
            self.runtimeDirectory = runtimeDirectory
            self.stateDirectory = stateDirectory
            self.receivers = receivers
            self.limits = limits
            self.version = version
        }
    }

    /// The loop that everything runs on.
    nonisolated public let eventLoop: any EventLoop
    /// The loop's own executor, so that the handlers of its channels are on this actor already.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var settings: Settings
    /// Held for as long as the service is there.
    private let stateFolder: StateFolder
    private let log: Logger
    private let receivers: ReceiverControl
    private let roster: ReceiverRoster
    private let lines: StoredLines
    private let engine: Engine
    private let waker: Waker
    private let logins: LoginWatch
    private let managers: Managers
    private let manage: ManageInterfaceHandler
    private var clockWatch: ClockWatch?
    private var idleExit: IdleExit?
    private var isInherited = false
    private let freeMemory: FreeMemory
    private var onIdle: (() -> Void)?
    private let servers: (location: VarlinkServer, manage: VarlinkServer)

    /// Reads the database and wires the parts. Nothing is opened but that.
    ///
    /// Throws where the state directory cannot be made. A database that cannot be used is no error: the service runs,
    /// grants nothing, and says so.
    /// To be called from another thread than the loop's.
    public static func make(_ settings: Settings, on eventLoop: any EventLoop, log: Logger) throws -> LocationService {
        try eventLoop.submit { try LocationService(settings, on: eventLoop, log: log) }.wait()
    }

    private init(_ settings: Settings, on eventLoop: any EventLoop, log: Logger) throws {
        self.settings = settings
        self.eventLoop = eventLoop
        self.log = log
        let clock = WallClock.now
        freeMemory = FreeMemory(on: eventLoop)
        stateFolder = try StateFolder(settings.stateDirectory)
        let secret = Result { () throws(Secret.Failure) in try Secret.load(settings.stateDirectory + "/secret") }
        let store = Store(
            path: settings.stateDirectory + "/locationd.db", secret: secret, timestamp: clock().description)
        let (table, notices) = store.load()
        let (records, unreadableRecords) = store.loadMonitoring()
        for notice in store.notices + notices { log.error("\(notice)") }
        for record in unreadableRecords {
            log.error("what is monitored, in the database, is not understood and left out: \(record)")
        }

        let identifier = Self.identifier(settings, log)
        let room = ConnectionRoom()
        let peers = try Peers(
            lookups: PeerLookups(identifier, on: eventLoop), room: room, limits: settings.limits, on: eventLoop,
            log: log)
        managers = Managers(lookups: PeerLookups(identifier, on: eventLoop), room: room, log: log)
        let seconds = clock().millisecondsSince1970 / 1000
        // An answer that a person typed before a restart must not meet another question.
        let machine = AuthorizationMachine(
            table: table, manifests: settings.manifests, firstQuestion: .random(in: 100...9999), at: seconds)
        let broker = AuthorizationBroker(machine, store: store, on: eventLoop, clock: clock, log: log)
        lines = StoredLines(store, on: eventLoop, log: log)
        receivers = ReceiverControl([], on: eventLoop, log: log)
        roster = ReceiverRoster(receivers, on: eventLoop, log: log) { [lines] entry, port in
            Receiver(
                entry.source, name: entry.name, port: port, power: entry.power, memory: lines, on: eventLoop,
                seed: .random(in: 0 ... .max), clock: clock)
        }
        let gate = Gate(broker: broker)
        waker = Waker(on: eventLoop, action: identifier.wake)
        let record = Record(
            log: AccessLog(store: store, on: eventLoop, clock: clock, log: log),
            indicator: Indicator(store.lastUses(since: Indicator.start(at: clock()))), clock: clock)
        let writer = MonitoringWriter(store, on: eventLoop, log: log)
        let post = EventPost(records.pending, writer: writer, waker: waker, record: record, log: log)
        logins = LoginWatch(on: eventLoop) { [unowned peers] _, pid, answer in peers.loginOwner(pid, answer) }
        let isConnectedEnough = settings.inUse == .connected
        let logins = logins
        let presences = Presences { peer in
            isConnectedEnough
                || peers.process(peer.pid).map { logins.isInActiveSession($0, pid: peer.pid) } ?? false
        }
        logins.onChange = { presences.onChange?() }
        peers.onProcessForgotten = { logins.forget(pid: $0) }
        peers.wantsLogin = { !isConnectedEnough && logins.isAvailable }
        peers.onLogin = { logins.note($1, of: $0) }
        let monitoring = Monitoring(records, writer: writer, post: post, gate: gate, clock: clock)
        let reduction = Reduction(
            try? AccuracyReducer(secret: secret.get(), state: store.loadReducerState()), store: store,
            receivers: receivers, on: eventLoop, clock: clock, log: log)
        engine = Engine(
            on: eventLoop, clock: clock, broker: broker, gate: gate, peers: peers, receivers: receivers,
            monitoring: monitoring, reduction: reduction, presences: presences, record: record)
        broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
        manage = ManageInterfaceHandler(
            engine: engine, version: settings.version, administrators: [0, geteuid()],
            localMidnight: WallClock.nextMidnight)
        let location = LocationInterfaceHandler(engine: engine, waker: waker)
        servers = (
            try Self.server(
                LocationInterface.self, peers.whileProcessRuns(location.handlers), frameSize: 16_384,
                backlog: 4096, version: settings.version, on: eventLoop),
            try Self.server(
                ManageInterface.self,
                manage.handlers.merging(manage.simulationHandlers) { $1 }.merging(manage.promptHandlers) { $1 }
                    .merging(manage.recordHandlers) { $1 },
                frameSize: 65_536, backlog: 32, version: settings.version, on: eventLoop)
        )
        servers.location.accept = { (connection) throws(VarlinkError) in try peers.admit(connection) }
        servers.manage.accept = { [managers] (connection) throws(VarlinkError) in try managers.admit(connection) }
        broker.start()
        roster.use(settings.receivers, discovers: settings.discovers)
    }

    private static func identifier(_ settings: Settings, _ log: Logger) -> any PeerIdentifying {
        guard let path = settings.peersSocket else { return OwnPeerIdentifier() }
        let service = PeersService(path: path)
        do throws(IdentityRefusal) { try service.start() } catch {
            log.error("apps are refused until locationd-peers answers at \(path): \(error)")
        }
        return service
    }

    private static func server(
        _ interface: (some VarlinkInterface).Type, _ handlers: [String: VarlinkService.Handler], frameSize: Int,
        backlog: CInt, version: String, on eventLoop: any EventLoop
    ) throws -> VarlinkServer {
        let description = try InterfaceDescription(parsing: interface.definition)
        let service = VarlinkService(
            vendor: "locationd", product: "locationd", version: version, url: "",
            interfaces: [VarlinkService.Interface(description, handlers: handlers)])
        var limits = VarlinkServer.Limits()
        limits.frameSize = frameSize
        limits.backlog = backlog
        return VarlinkServer(service: service, on: eventLoop, limits: limits)
    }

    /// Opens the sockets: those that the service manager handed over, by their names, else its own.
    ///
    /// Fails with `SystemCallError` where one cannot be bound; the text says which and why.
    ///
    /// - Parameter onIdle: told on the loop, once, when there has been nothing to do for as long as the settings say,
    ///   if the service manager handed over both sockets. No connection is accepted any more then: what is left is to
    ///   stop.
    nonisolated public func start(
        inherited: ListenDescriptors, onIdle: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<Void> {
        onLoop {
            $0.onIdle = onIdle
            return try $0.open(inherited)
        }
    }

    /// Closes the sockets, every connection, and the receivers.
    nonisolated public func stop() -> EventLoopFuture<Void> {
        onLoop { $0.close() }
    }

    /// Takes other receivers, limits, manifests, restrictions and another `exitWhenIdle`. Connections that are open
    /// stay; receivers that stay the same go on.
    nonisolated public func apply(
        receivers: [Settings.ReceiverEntry], discovers: Bool, limits: Limits, manifests: [AppIdentity: AppManifest],
        restrictions: Set<Restriction>, exitWhenIdle: Int?
    ) {
        eventLoop.execute {
            self.assumeIsolated { service in
                service.use(receivers, discovers, limits, manifests, restrictions)
                service.settings.exitWhenIdle = exitWhenIdle
                service.followIdleness()
            }
        }
    }

    /// Runs on the loop, without the detour of a task: those start on threads of Dispatch, which then wakes up each
    /// second for ever.
    nonisolated private func onLoop(
        _ body: @escaping @Sendable (isolated LocationService) throws -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            self.assumeIsolated { service in
                do { return try body(service) } catch { return service.eventLoop.makeFailedFuture(error) }
            }
        }
    }

    private func open(_ inherited: ListenDescriptors) throws -> EventLoopFuture<Void> {
        let location = try listen(servers.location, LocationInterface.self, mode: 0o666, inherited)
        let manage = try listen(servers.manage, ManageInterface.self, mode: 0o660, inherited)
        clockWatch = ClockWatch(on: eventLoop) { [engine] in engine.clockChanged(slept: $0) }
        isInherited = [LocationInterface.name, ManageInterface.name].allSatisfy { name in
            inherited.entries.contains { $0.name == name }
        }
        servers.location.onConnectionsChanged = { [unowned self] in
            assumeIsolated { service in
                service.idleExit?.check()
                service.freeMemory.connectionsChanged(
                    to: service.servers.location.connectionCount + service.servers.manage.connectionCount)
            }
        }
        servers.manage.onConnectionsChanged = servers.location.onConnectionsChanged
        receivers.onCarriedOut = servers.location.onConnectionsChanged
        engine.broker.onAdvanced = servers.location.onConnectionsChanged
        // Apps that are not connected may monitor something.
        engine.demandChanged()
        followIdleness()
        return location.and(manage).map { _ in }
    }

    private func close() -> EventLoopFuture<Void> {
        roster.stop()
        receivers.stop()
        waker.stop()
        logins.stop()
        engine.peers.stop()
        managers.stop()
        clockWatch?.stop()
        idleExit?.stop()
        let flushed = engine.monitoring.writer.flush().and(engine.record.log.flush())
        return flushed.and(servers.location.close()).and(servers.manage.close()).map { _ in }
    }

    private func use(
        _ entries: [Settings.ReceiverEntry], _ discovers: Bool, _ limits: Limits,
        _ manifests: [AppIdentity: AppManifest], _ restrictions: Set<Restriction>
    ) {
        engine.peers.limits = limits
        if manifests != settings.manifests || restrictions != settings.restrictions {
            settings.manifests = manifests
            settings.restrictions = restrictions
            engine.broker.use(restrictions: restrictions, manifests: manifests)
        }
        guard entries != settings.receivers || discovers != settings.discovers else { return }
        settings.receivers = entries
        settings.discovers = discovers
        roster.use(entries, discovers: discovers)
    }

    /// Watches for having nothing to do, if that is wanted and somebody is there to start the service again.
    private func followIdleness() {
        idleExit?.stop()
        idleExit = nil
        guard isInherited, let seconds = settings.exitWhenIdle else { return }
        idleExit = IdleExit(
            after: .seconds(Int64(seconds)), on: eventLoop,
            isIdle: { [unowned self] in
                assumeIsolated { $0.engine.isIdle && $0.servers.manage.connectionCount == 0 }
            },
            onIdle: { [unowned self] in
                assumeIsolated { service in
                    // Who connects from here on waits for the next start, and is not turned away.
                    service.servers.location.stopListening()
                    service.servers.manage.stopListening()
                    service.onIdle?()
                }
            })
        idleExit?.check()
    }

    private func listen(
        _ server: VarlinkServer, _ interface: (some VarlinkInterface).Type, mode: mode_t,
        _ inherited: ListenDescriptors
    ) throws -> EventLoopFuture<Void> {
        if let entry = inherited.entries.first(where: { $0.name == interface.name }) {
            log.info("listening on the socket \(interface.name) of the service manager")
            return server.listen(descriptor: entry.descriptor)
        }
        try makeDirectory(interface.folder(in: settings.runtimeDirectory), mode: 0o755)
        let path = interface.socketPath(in: settings.runtimeDirectory)
        let listening = try server.listen(path: path, mode: mode)
        if interface.name == ManageInterface.name { openToManagers(path) }
        log.info("listening on \(path)")
        return listening
    }
}

extension LocationService {
    /// Gives the management socket to the group `locationd`, where there is one and the daemon may.
    private func openToManagers(_ path: String) {
        guard let group = getgrnam("locationd")?.pointee.gr_gid, chown(path, .max, group) != 0, errno != ENOENT else {
            return
        }
        log.notice("\(path) stays with its own group: \(String(cString: strerror(errno)))")
    }
}
