internal import AuthorizationPolicy
internal import Beacons
package import Bus
package import EventLoopSupport
internal import Glibc
package import LocationModel
package import Logging
internal import Logins
package import NIOCore
internal import PeerIdentity
internal import Positioning
package import Receivers
internal import StateFiles
package import Surroundings

/// The service without any front: receivers in, authorization and per-app rules in the middle, subscribers out.
///
/// The initializer creates the parts in order, each from the parts that it uses; ``connect()`` sets the callbacks
/// between them. A front admits its clients through ``peers``, and opens their requests through ``subscriptions`` and
/// ``events``. Confined to the event loop.
package final class Core {
    /// The changes of the core's state.
    package let changes = Changes()

    // For fronts that serve apps
    package let peers: Peers
    package let gate: Gate
    package let broker: AuthorizationBroker
    package let agents: PromptAgents
    package let entitlements: EntitlementTracker
    package let subscriptions: Subscriptions
    package let events: EventStreams

    // For fronts that serve the users who manage
    package let managers: Managers
    package let receivers: ReceiverControl
    package let history: AccessHistory
    package let monitoring: Monitoring
    package let headings: HeadingMonitoring
    package let beacons: BeaconRanging
    package let streams: OpenStreams
    package let publisher: Publisher
    package let cellRetention: CellRetention
    /// The time for chrony, or `nil` if it is not passed on.
    package let time: TimeService?
    package let storeFailures: StoreFailures
    /// Returns the time by the machine's clock.
    package let clock: () -> Timestamp

    /// Holds the lock of the state folder for the lifetime of the service.
    private let stateFolder: StateDirectory
    private let roster: ReceiverRoster
    private let planner: DemandPlanner
    private let logins: LoginWatch
    private let presences: Presences
    private let onceHolders: OnceHolders
    private let retention: RetentionTime
    private let serialSettings: StoredSerialSettings
    package let databases: NavigationDatabases
    /// The system bus, for all clients of its services.
    package let bus: Bus
    private let modems: SwitchedModems
    private let reduction: ReductionSchedule
    package let surroundings: Surroundings
    package let places: RememberedPlaces
    private let waker: Waker

    /// Reads the database and creates the parts.
    ///
    /// - Parameters:
    ///   - busAddress: The address of the system bus, or `nil` for the machine's.
    ///   - clock: Returns the time by the machine's clock.
    ///   - wakeLine: Returns the line for an app started for an event: the event as the app's front would have sent it.
    /// - Throws: An error if the state directory cannot be used, or the processes of peers cannot be watched.
    package init(
        _ settings: ServiceSettings, busAddress: String? = nil, poller: DescriptorPoller, on loop: any EventLoop,
        log: Logger, clock: @escaping () -> Timestamp = WallClock.now, wakeLine: @escaping (PendingEvent) -> String
    ) throws {
        self.clock = clock
        // State on the disk
        stateFolder = try StateDirectory(settings.stateDirectory, of: "locationd")
        let database = settings.stateDirectory + "/locationd.db"
        let secret = Result { () throws(Secret.Failure) in
            try Secret.load(settings.stateDirectory + "/secret", of: database)
        }
        let store = Store(path: database, secret: secret, timestamp: clock().description)
        storeFailures = store.failures
        // From a random start: a call that was prepared before a restart must not match.
        let (table, notices) = store.loadDecisions(firstRevision: .random(in: 1...1 << 52))
        let (records, unreadableRecords) = store.loadMonitoring()
        for notice in store.notices + notices { log.error("\(notice)") }
        for record in unreadableRecords {
            log.error("ignoring a monitoring record that cannot be read: \(record)")
        }

        bus = Bus(address: busAddress, poller: poller, on: loop)

        // Connections
        let identifier = Self.identifier(settings, log)
        let sharedLimit = SharedConnectionLimit()
        peers = try Peers(
            lookups: PeerLookups(identifier, on: loop), sharedLimit: sharedLimit, limits: settings.limits,
            poller: poller, on: loop, log: log)
        managers = Managers(lookups: PeerLookups(identifier, on: loop), sharedLimit: sharedLimit, on: loop, log: log)

        // Presence
        logins = LoginWatch(on: loop, log: log) { [peers] _, pid, answer in
            peers.loginOwner(pid, answer)
        } makeMonitor: { onChange, onFailure throws(Login.Failure) in
            try LoginMonitor(poller: poller, on: loop, onChange: onChange, onFailure: onFailure)
        }
        let isConnectedEnough = settings.inUse == .connected
        presences = Presences { [peers, logins] client in
            isConnectedEnough || peers.areAll(of: client) { logins.isInActiveSession($0, pid: $1) }
        } processes: { [peers] in
            peers.processes(of: $0)
        }
        peers.wantsLogin = { [logins] in !isConnectedEnough && logins.isAvailable }

        // Authorization. Prompts are numbered from a random start: an answer that a user typed before a restart must
        // not reach another prompt.
        onceHolders = OnceHolders(store, boot: ProcessReader.boot, on: loop, log: log)
        let machine = AuthorizationStateMachine(
            table: table, manifests: settings.manifests, onceHolders: onceHolders.stored,
            firstPromptID: .random(in: 100...9999), at: clock().millisecondsSince1970 / 1000,
            nextMidnight: WallClock.nextMidnight)
        broker = AuthorizationBroker(machine, store: store, on: loop, clock: clock, changes: changes, log: log)
        agents = PromptAgents(changes: changes)
        gate = Gate(broker: broker)
        retention = RetentionTime(reached: store.loadReached(), on: loop, clock: clock)
        history = AccessHistory(
            log: AccessLog(store: store, on: loop, retention: retention, log: log),
            indicator: Indicator(store.lastUses(since: Indicator.start(at: clock())), changes: changes), clock: clock)

        // Receivers
        serialSettings = StoredSerialSettings(store, on: loop, log: log)
        databases = NavigationDatabases(
            in: settings.stateDirectory, secret: try? secret.get(), on: loop, clock: clock, log: log)
        receivers = ReceiverControl([], on: loop, clock: clock, changes: changes, log: log)
        let wallClock = settings.time == nil ? nil : WallClock.nanoseconds
        modems = SwitchedModems(StoredModems(store, on: loop, log: log), bus: bus, on: loop)
        let bluetooth = BluetoothThread()
        roster = ReceiverRoster(receivers, bus: bus, poller: poller, on: loop, log: log) {
            [serialSettings, databases, modems, receivers] entry, port in
            Receiver(
                entry.source, name: entry.name, port: port, profile: entry.profile, owner: entry.owner,
                memory: serialSettings, databases: databases, modems: modems, bluetooth: bluetooth, delay: entry.delay,
                headingOffset: entry.headingOffset, wallClock: wallClock, on: loop, seed: .random(in: 0 ... .max),
                clock: clock, firstFixHelp: { receivers.firstFixHelp(passesTime: settings.time != nil) })
        }
        time = settings.time.map { settings in
            TimeService(settings, clocks: { WallClock.clocks(with: loop.now) }, log: log)
        }

        // Reduced accuracy and monitoring
        reduction = ReductionSchedule(
            try? AccuracyReducer(secret: secret.get(), state: store.loadReducerState()), receivers: receivers,
            on: loop, clock: clock, log: log
        ) { store.write($0, erasing: $1, on: loop) }
        cellRetention = CellRetention(
            broker: broker, gate: gate, peers: peers, reduction: reduction, on: loop, log: log)
        waker = Waker(on: loop, action: identifier.wake)
        let writer = MonitoringWriter(store, on: loop, log: log)
        let delivery = EventDelivery(
            records.pending, writer: writer, waker: waker, history: history, wakeLine: wakeLine, log: log)
        monitoring = Monitoring(
            records, writer: writer, delivery: delivery, gate: gate, retention: retention, clock: clock)
        headings = HeadingMonitoring(gate: gate, history: history, on: loop)
        beacons = BeaconRanging(
            BeaconScanner(on: bus, loop: loop, wallClock: clock), gate: gate, history: history, peers: peers,
            monitoring: monitoring)

        surroundings = Surroundings(
            try? secret.get(), bus: bus, poller: poller, on: loop, now: { [receivers] in receivers.now })
        (surroundings.isEnabled, surroundings.scans) = (settings.surroundings.isUsed, settings.surroundings.scans)
        places = RememberedPlaces(
            surroundings, receivers: receivers, retention: retention, in: settings.stateDirectory,
            secret: try? secret.get(), on: loop, clock: clock, log: log)

        // Subscriptions and streams, and their deliveries
        let reports = ReportDemand()
        planner = DemandPlanner(
            peers: peers, monitoring: monitoring, headings: headings, beacons: beacons, reduction: reduction,
            receivers: receivers, surroundings: surroundings, places: places, reports: reports, gate: gate,
            passesTime: settings.time != nil)
        streams = OpenStreams(planner: planner, reports: reports, history: history, gate: gate, changes: changes)
        publisher = Publisher(
            peers: peers, monitoring: monitoring, headings: headings, reduction: reduction, history: history,
            gate: gate, planner: planner, streams: streams, reports: reports, places: places)
        entitlements = EntitlementTracker(
            broker: broker, gate: gate, peers: peers, presences: presences, monitoring: monitoring,
            headings: headings, beacons: beacons, receivers: receivers, reduction: reduction, history: history,
            streams: streams)

        // Calls of apps
        subscriptions = Subscriptions(
            broker: broker, gate: gate, entitlements: entitlements, streams: streams, peers: peers,
            receivers: receivers, reduction: reduction, places: places, history: history, loop: loop, clock: clock)
        events = EventStreams(
            monitoring: monitoring, headings: headings, beacons: beacons, waker: waker, entitlements: entitlements,
            streams: streams, peers: peers, receivers: receivers, reduction: reduction, clock: clock)

        connect()
        broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
    }

    /// Sets the callbacks between the parts.
    private func connect() {
        // Connections
        peers.onFirstConnection = { [broker] in broker.connected($0) }
        peers.onLastConnectionClosed = { [broker] in broker.disconnected($0) }
        peers.onProcess = { [broker, onceHolders] app, process in
            broker.returned(app, as: process)
            if broker.table.decision(about: app)?.lifetime == .once { onceHolders.add([process], of: app) }
        }
        peers.onConnectionsChanged = { [entitlements] in entitlements.endTemporaryAccuracy(of: $0) }

        // Authorization and presence
        broker.onChange = { [entitlements, cellRetention] app in
            entitlements.authorizationChanged(app)
            cellRetention.authorizationChanged()
        }
        broker.onDecision = { [monitoring, onceHolders, peers, cellRetention, unowned broker] decision, app in
            if decision?.lifetime == .once {
                onceHolders.add(peers.processStarts(of: app), of: app)
            } else {
                onceHolders.remove(app)
            }
            if decision?.grants != true { monitoring.grantEnded(of: app) }
            if decision?.level != .always, !broker.table.hasAlwaysGrant(of: app.uid) {
                monitoring.alwaysEnded(of: app.uid)
            }
            cellRetention.decisionMade()
        }
        peers.onLogin = { [logins] in logins.record($1, of: $0) }
        peers.onProcessForgotten = { [logins] in logins.forget(pid: $0) }
        logins.onChange = { [entitlements] in entitlements.presenceChanged() }
        peers.onDeclarationEnded = { [entitlements] in entitlements.presenceChanged(of: $0) }

        // Fixes and headings
        receivers.delegate = publisher
        // Attack: imitated networks name a place, and a receiver searches for the satellites above it.
        receivers.lastCell = { [unowned reduction] in reduction.isOfMemory ? nil : reduction.settled }
        reduction.delegate = publisher
        surroundings.onChange = { [planner] in planner.update() }
        surroundings.onStay = { [monitoring] in monitoring.extendStay($0) }
        reduction.remembered = { [unowned places] in places.find() }
        places.onPlace = { [publisher] in publisher.publish(remembered: $0) }
        if let time {
            receivers.onArrival = { arrival, member in
                time.receive(
                    arrival, from: member.receiver.name, id: member.id, delay: member.receiver.delay,
                    doubts: member.doubts)
            }
        }
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
    /// Knows whether the machine's clock is synchronized.
    package var synchronization: (any ClockSynchronization)? {
        get { receivers.synchronization }
        set {
            receivers.synchronization = newValue
            retention.synchronization = newValue
        }
    }

    /// A Boolean value indicating whether there is nothing to do, and nothing would be lost if the service ended.
    package var isIdle: Bool {
        peers.connectionCount == 0 && monitoring.isIdle && receivers.isClosed && !receivers.isSimulating
            && !beacons.isSimulating && !places.keepsFix
            && broker.hasOnlyStoredState
    }

    /// A Boolean value indicating whether there is a receiver, with or without a fix, or one may still be found after
    /// the start, or places are remembered.
    package var mayHaveLocation: Bool {
        !receivers.members.isEmpty || roster.isSearching || places.isEnabled
    }

    /// Starts the service: ends decisions that expired while it was not running, and configures the receivers.
    package func start(_ settings: ServiceSettings) {
        // Begins the check of a doubtful clock: a short run ends with its first write, and needs the answer then.
        _ = retention.now
        broker.start()
        cellRetention.start()
        modems.recover()
        databases.follow(settings.receivers.map(\.profile))
        places.start(isEnabled: settings.surroundings.remembersPlaces)
        roster.use(settings.receivers, discovers: settings.discovers)
    }

    /// Updates the receivers' plan, for apps that are not connected but monitor something.
    package func followDemand() { planner.update() }

    /// Applies changed receivers, limits, manifests and restrictions. Unchanged receivers are not interrupted.
    package func use(_ settings: ServiceSettings, insteadOf old: ServiceSettings) {
        peers.limits = settings.limits
        if settings.manifests != old.manifests || settings.restrictions != old.restrictions {
            broker.use(restrictions: settings.restrictions, manifests: settings.manifests)
        }
        if settings.receivers != old.receivers || settings.discovers != old.discovers {
            databases.follow(settings.receivers.map(\.profile))
            roster.use(settings.receivers, discovers: settings.discovers)
        }
        guard settings.surroundings != old.surroundings else { return }
        (surroundings.isEnabled, surroundings.scans) = (settings.surroundings.isUsed, settings.surroundings.scans)
        places.use(settings.surroundings.remembersPlaces)
        followDemand()
    }

    /// Handles a wall clock that was set or, if `sleep` is not 0, a sleep of the machine of that length.
    package func clockChanged(slept sleep: TimeAmount) {
        if sleep > .zero {
            retention.add(sleep: sleep)
            receivers.woke(after: sleep)
            surroundings.woke(after: sleep)
            beacons.woke()
        }
        broker.clockChanged()
        reduction.clockChanged()
        _ = history.log.flush()
    }

    /// The time that the service, before it ends, waits for ModemManager to switch a receiver off. The service manager
    /// waits for 10 s.
    private static let modemTime = TimeAmount.seconds(5)

    /// Closes the receivers, and ends all watching and all look-ups. Succeeds once monitoring changes and the access
    /// log are written, or writing them has failed, and modems' receivers are off.
    package func stop() -> EventLoopFuture<Void> {
        roster.stop()
        receivers.stop()
        beacons.stop()
        waker.stop()
        logins.stop()
        peers.stop()
        managers.stop()
        broker.stop()
        reduction.stop()
        surroundings.stop()
        return monitoring.writer.flush().and(history.log.finish()).and(modems.stop(within: Self.modemTime))
            .and(onceHolders.flush()).and(broker.desktopLimits.flush()).and(places.stop()).map { _ in }
    }
}
