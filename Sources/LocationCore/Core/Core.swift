internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
package import Logging
package import NIOCore
internal import PeerIdentity
internal import Positioning
internal import Receivers

/// The service without any front: receivers in, authorization and the rules of each app, subscribers out.
///
/// The initializer makes the parts top-down, each with what it uses; ``connect()`` says what they have each other do. A
/// front admits its clients through ``peers`` and opens what they ask for through ``subscriptions`` and ``events``.
/// Confined to the event loop.
package final class Core {
    /// Called when something began or ended after which there may be nothing to do.
    package var onActivity: (() -> Void)?

    // For fronts of apps
    package let peers: Peers
    package let gate: Gate
    package let broker: AuthorizationBroker
    package let entitlements: EntitlementTracker
    package let subscriptions: Subscriptions
    package let events: EventStreams

    // For fronts of the users who manage
    package let managers: Managers
    package let receivers: ReceiverControl
    package let history: AccessHistory
    package let monitoring: Monitoring
    package let headings: HeadingMonitoring
    package let streams: OpenStreams
    package let publisher: Publisher

    /// Held while the service is there.
    private let stateFolder: StateFolder
    private let roster: ReceiverRoster
    private let planner: DemandPlanner
    private let logins: LoginWatch
    private let presences: Presences
    private let serialSettings: StoredSerialSettings
    private let reduction: Reduction
    private let waker: Waker

    /// Reads the database and makes the parts. Throws where the state directory cannot be used.
    ///
    /// - Parameter wakeLine: What an app is sent that is started for an event: the event as its front would have sent it.
    package init(
        _ settings: ServiceSettings, on loop: any EventLoop, log: Logger,
        wakeLine: @escaping (PendingEvent) -> String
    ) throws {
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
        presences = Presences { [peers, logins] client in
            isConnectedEnough
                || peers.process(client.pid).map { logins.isInActiveSession($0, pid: client.pid) } ?? false
        }
        peers.wantsLogin = { [logins] in !isConnectedEnough && logins.isAvailable }

        // What apps may have. An answer that a user typed before a restart must not meet another question.
        let machine = AuthorizationMachine(
            table: table, manifests: settings.manifests, firstQuestion: .random(in: 100...9999),
            at: clock().millisecondsSince1970 / 1000)
        broker = AuthorizationBroker(machine, store: store, on: loop, clock: clock, log: log)
        gate = Gate(broker: broker)
        history = AccessHistory(
            log: AccessLog(store: store, on: loop, clock: clock, log: log),
            indicator: Indicator(store.lastUses(since: Indicator.start(at: clock()))), clock: clock)

        // The receivers
        serialSettings = StoredSerialSettings(store, on: loop, log: log)
        receivers = ReceiverControl([], on: loop, log: log)
        roster = ReceiverRoster(receivers, on: loop, log: log) { [serialSettings] entry, port in
            Receiver(
                entry.source, name: entry.name, port: port, power: entry.power, memory: serialSettings, on: loop,
                seed: .random(in: 0 ... .max), clock: clock)
        }

        // What is made of fixes
        reduction = Reduction(
            try? AccuracyReducer(secret: secret.get(), state: store.loadReducerState()), store: store,
            receivers: receivers, on: loop, clock: clock, log: log)
        waker = Waker(on: loop, action: identifier.wake)
        let writer = MonitoringWriter(store, on: loop, log: log)
        let post = EventPost(
            records.pending, writer: writer, waker: waker, history: history, wakeLine: wakeLine, log: log)
        monitoring = Monitoring(records, writer: writer, post: post, gate: gate, clock: clock)
        headings = HeadingMonitoring(gate: gate, history: history, on: loop)

        // What is open, and how it is served
        planner = DemandPlanner(
            peers: peers, monitoring: monitoring, headings: headings, reduction: reduction, receivers: receivers,
            gate: gate)
        streams = OpenStreams(planner: planner, history: history, gate: gate)
        publisher = Publisher(
            peers: peers, monitoring: monitoring, headings: headings, reduction: reduction, history: history,
            gate: gate, planner: planner, streams: streams)
        entitlements = EntitlementTracker(
            broker: broker, gate: gate, peers: peers, presences: presences, monitoring: monitoring,
            headings: headings, receivers: receivers, history: history, streams: streams)

        // What apps open
        subscriptions = Subscriptions(
            broker: broker, gate: gate, entitlements: entitlements, streams: streams, peers: peers,
            receivers: receivers, reduction: reduction, history: history, loop: loop, clock: clock)
        events = EventStreams(
            monitoring: monitoring, headings: headings, waker: waker, entitlements: entitlements, streams: streams,
            peers: peers, receivers: receivers, reduction: reduction, clock: clock)

        connect()
        broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
    }

    /// Who has whom do what.
    private func connect() {
        // Connections
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

        // Whether there is anything to do
        receivers.onCarriedOut = { [unowned self] in onActivity?() }
        broker.onAdvanced = { [unowned self] in onActivity?() }
    }

    private static func identifier(_ settings: ServiceSettings, _ log: Logger) -> any PeerIdentifying {
        guard let path = settings.peersSocket else { return OwnPeerIdentifier() }
        let service = PeersService(path: path)
        do throws(IdentityRefusal) { try service.start() } catch {
            log.error("apps are refused until locationd-peers answers at \(path): \(error)")
        }
        return service
    }
}

extension Core {
    /// A Boolean value indicating whether there is nothing to do, and nothing to lose by ending.
    package var isIdle: Bool {
        peers.connectionCount == 0 && monitoring.apps.isEmpty && receivers.isClosed && !receivers.isSimulating
            && broker.isAtRest
    }

    /// Begins: ends decisions that ended while the service was not running, and takes the receivers into use.
    package func start(_ settings: ServiceSettings) {
        broker.start()
        roster.use(settings.receivers, discovers: settings.discovers)
    }

    /// Has the receivers work for what is monitored for apps that are not connected.
    package func followDemand() { planner.update() }

    /// Takes other receivers, limits, manifests and restrictions. Receivers that stay the same go on.
    package func use(_ settings: ServiceSettings, insteadOf old: ServiceSettings) {
        peers.limits = settings.limits
        if settings.manifests != old.manifests || settings.restrictions != old.restrictions {
            broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
        }
        if settings.receivers != old.receivers || settings.discovers != old.discovers {
            roster.use(settings.receivers, discovers: settings.discovers)
        }
    }

    /// The wall clock was set or, where `sleep` is not 0, the machine slept for so long.
    package func clockChanged(slept sleep: TimeAmount) {
        if sleep > .zero { receivers.woke(after: sleep) }
        broker.clockChanged()
        reduction.clockChanged()
        _ = history.log.flush()
    }

    /// Closes the receivers. Succeeds once what is to be kept is on the disk.
    package func stop() -> EventLoopFuture<Void> {
        roster.stop()
        receivers.stop()
        waker.stop()
        logins.stop()
        peers.stop()
        managers.stop()
        return monitoring.writer.flush().and(history.log.flush()).map { _ in }
    }
}
