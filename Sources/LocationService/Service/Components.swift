internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import PeerIdentity
internal import Positioning
internal import Receivers
internal import Varlink

/// The parts of the service.
///
/// The initializer makes them top-down, each with what it uses; ``connect()`` says what they have each other do. Confined
/// to the event loop.
final class Components {
    /// Called when something began or ended after which there may be nothing to do.
    var onActivity: (() -> Void)?

    let broker: AuthorizationBroker
    let peers: Peers
    let roster: ReceiverRoster
    let planner: DemandPlanner
    let locationServer: VarlinkServer
    let manageServer: VarlinkServer

    /// Held while the service is there.
    private let stateFolder: StateFolder
    private let managers: Managers
    private let logins: LoginWatch
    private let presences: Presences
    private let receivers: ReceiverControl
    private let lines: StoredLines
    private let reduction: Reduction
    private let record: Record
    private let waker: Waker
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let streams: OpenStreams
    private let publisher: Publisher
    private let entitlements: EntitlementTracker
    private let observers: ViewObservers

    init(_ settings: LocationService.Settings, on loop: any EventLoop, log: Logger) throws {
        let clock = WallClock.now

        // What is on the disk
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

        // Who is connected
        let identifier = Self.identifier(settings, log)
        let room = ConnectionRoom()
        peers = try Peers(
            lookups: PeerLookups(identifier, on: loop), room: room, limits: settings.limits, on: loop, log: log)
        managers = Managers(lookups: PeerLookups(identifier, on: loop), room: room, log: log)

        // Who is in use
        logins = LoginWatch(on: loop) { [peers] _, pid, answer in peers.loginOwner(pid, answer) }
        let isConnectedEnough = settings.inUse == .connected
        presences = Presences { [peers, logins] peer in
            isConnectedEnough
                || peers.process(peer.pid).map { logins.isInActiveSession($0, pid: peer.pid) } ?? false
        }
        peers.wantsLogin = { [logins] in !isConnectedEnough && logins.isAvailable }

        // What apps may have. An answer that a user typed before a restart must not meet another question.
        let machine = AuthorizationMachine(
            table: table, manifests: settings.manifests, firstQuestion: .random(in: 100...9999),
            at: clock().millisecondsSince1970 / 1000)
        broker = AuthorizationBroker(machine, store: store, on: loop, clock: clock, log: log)
        let gate = Gate(broker: broker)
        record = Record(
            log: AccessLog(store: store, on: loop, clock: clock, log: log),
            indicator: Indicator(store.lastUses(since: Indicator.start(at: clock()))), clock: clock)

        // The receivers
        lines = StoredLines(store, on: loop, log: log)
        receivers = ReceiverControl([], on: loop, log: log)
        roster = ReceiverRoster(receivers, on: loop, log: log) { [lines] entry, port in
            Receiver(
                entry.source, name: entry.name, port: port, power: entry.power, memory: lines, on: loop,
                seed: .random(in: 0 ... .max), clock: clock)
        }

        // What is made of fixes
        reduction = Reduction(
            try? AccuracyReducer(secret: secret.get(), state: store.loadReducerState()), store: store,
            receivers: receivers, on: loop, clock: clock, log: log)
        waker = Waker(on: loop, action: identifier.wake)
        let writer = MonitoringWriter(store, on: loop, log: log)
        let post = EventPost(records.pending, writer: writer, waker: waker, record: record, log: log)
        monitoring = Monitoring(records, writer: writer, post: post, gate: gate, clock: clock)
        headings = HeadingMonitoring(gate: gate, record: record, on: loop)

        // What is open, and how it is served
        planner = DemandPlanner(
            peers: peers, monitoring: monitoring, headings: headings, reduction: reduction, receivers: receivers,
            gate: gate)
        streams = OpenStreams(planner: planner, record: record, gate: gate)
        publisher = Publisher(
            peers: peers, monitoring: monitoring, headings: headings, reduction: reduction, record: record, gate: gate,
            planner: planner, streams: streams)
        entitlements = EntitlementTracker(
            broker: broker, gate: gate, peers: peers, presences: presences, monitoring: monitoring,
            headings: headings, receivers: receivers, record: record, streams: streams)

        // The interfaces
        let location = LocationMethods(
            access: AppAccess(peers: peers, gate: gate),
            authorization: AuthorizationCalls(broker: broker, entitlements: entitlements),
            subscriptions: SubscriptionCalls(
                broker: broker, gate: gate, entitlements: entitlements, streams: streams, peers: peers,
                receivers: receivers, reduction: reduction, record: record, loop: loop, clock: clock),
            monitoring: MonitoringCalls(
                monitoring: monitoring, headings: headings, waker: waker, entitlements: entitlements,
                streams: streams, peers: peers, receivers: receivers, reduction: reduction, clock: clock))
        observers = ViewObservers(on: loop)
        let descriptions = AppDescriptions(broker: broker, peers: peers)
        let manage = ManageMethods(
            // The daemon's own user owns the database.
            access: ManagementAccess(administrators: [0, geteuid()], broker: broker),
            decisions: DecisionCalls(
                broker: broker, peers: peers, descriptions: descriptions, nextMidnight: WallClock.nextMidnight),
            prompts: PromptCalls(
                broker: broker, peers: peers, descriptions: descriptions, observers: observers,
                nextMidnight: WallClock.nextMidnight),
            history: HistoryCalls(record: record, descriptions: descriptions, observers: observers, clock: clock),
            activity: ActivityCalls(
                peers: peers, monitoring: monitoring, headings: headings, publisher: publisher, streams: streams,
                observers: observers, version: settings.version, started: loop.now, loop: loop),
            receivers: ReceiverCalls(receivers: receivers, observers: observers, loop: loop, clock: clock),
            places: PlaceCalls(monitoring: monitoring))
        locationServer = try Self.server(
            location.table, frameSize: 16_384, backlog: 4096, version: settings.version, on: loop)
        manageServer = try Self.server(
            manage.table, frameSize: 65_536, backlog: 32, version: settings.version, on: loop)

        connect()
        broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
    }

    /// Who has whom do what.
    private func connect() {
        // Connections
        locationServer.accept = { [peers] (connection) throws(VarlinkError) in try peers.admit(connection) }
        manageServer.accept = { [managers] (connection) throws(VarlinkError) in try managers.admit(connection) }
        peers.onFirstConnection = { [broker] in broker.connected($0) }
        peers.onLastConnectionClosed = { [broker] in broker.disconnected($0) }

        // What apps may have, and who is in use
        broker.onChange = { [entitlements] in entitlements.authorizationChanged($0) }
        peers.onLogin = { [logins] in logins.note($1, of: $0) }
        peers.onProcessForgotten = { [logins] in logins.forget(pid: $0) }
        logins.onChange = { [entitlements] in entitlements.presenceChanged() }
        peers.onDeclarationEnded = { [entitlements] in entitlements.presenceChanged(of: $0) }

        // Fixes
        receivers.onFix = { [publisher] in publisher.publish($0) }
        receivers.onHeading = { [publisher] in publisher.publish($0) }
        receivers.onAvailability = { [publisher] in publisher.publish(availability: $0) }
        reduction.onSettled = { [publisher] in publisher.publish(reduced: $0) }
        reduction.onPlanChanged = { [planner] in planner.update() }

        // What managers watch
        streams.onChange = { [observers] in observers.changed(.sessions) }
        record.indicator.onChange = { [observers] in observers.changed(.indicator) }
        broker.onQuestionsChanged = { [observers] in observers.changed(.prompts) }

        // Whether there is anything to do
        locationServer.onConnectionsChanged = { [unowned self] in onActivity?() }
        manageServer.onConnectionsChanged = { [unowned self] in onActivity?() }
        receivers.onCarriedOut = { [unowned self] in onActivity?() }
        broker.onAdvanced = { [unowned self] in onActivity?() }
    }

    private static func identifier(_ settings: LocationService.Settings, _ log: Logger) -> any PeerIdentifying {
        guard let path = settings.peersSocket else { return OwnPeerIdentifier() }
        let service = PeersService(path: path)
        do throws(IdentityRefusal) { try service.start() } catch {
            log.error("apps are refused until locationd-peers answers at \(path): \(error)")
        }
        return service
    }

    private static func server(
        _ methods: [MethodHandler<some DaemonInterface>], frameSize: Int, backlog: CInt, version: String,
        on loop: any EventLoop
    ) throws -> VarlinkServer {
        let service = VarlinkService(
            vendor: "locationd", product: "locationd", version: version, url: "",
            interfaces: [try VarlinkService.Interface(methods)])
        var limits = VarlinkServer.Limits()
        limits.frameSize = frameSize
        limits.backlog = backlog
        return VarlinkServer(service: service, on: loop, limits: limits)
    }
}

extension Components {
    /// How many connections are open, to both sockets.
    var connectionCount: Int { locationServer.connectionCount + manageServer.connectionCount }

    /// A Boolean value indicating whether there is nothing to do, and nothing to lose by ending.
    var isIdle: Bool {
        peers.connectionCount == 0 && manageServer.connectionCount == 0 && monitoring.apps.isEmpty
            && receivers.isClosed && !receivers.isSimulating && broker.isAtRest
    }

    /// The wall clock was set or, where `sleep` is not 0, the machine slept for so long.
    func clockChanged(slept sleep: TimeAmount) {
        if sleep > .zero { receivers.woke(after: sleep) }
        broker.clockChanged()
        reduction.clockChanged()
        _ = record.log.flush()
    }

    /// Closes the sockets, every connection, and the receivers. Succeeds once what is to be kept is on the disk.
    func stop() -> EventLoopFuture<Void> {
        roster.stop()
        receivers.stop()
        waker.stop()
        logins.stop()
        peers.stop()
        managers.stop()
        let flushed = monitoring.writer.flush().and(record.log.flush())
        return flushed.and(locationServer.close()).and(manageServer.close()).map { _ in }
    }
}
