internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers
internal import Varlink

/// The parts of the daemon, wired: receivers, gate, apps. Confined to the event loop.
final class Engine {
    let loop: any EventLoop
    let clock: () -> Timestamp
    let broker: AuthorizationBroker
    let gate: Gate
    let peers: Peers
    let receivers: ReceiverControl
    let monitoring: Monitoring
    let headings: HeadingMonitoring
    let reduction: Reduction
    let presences: Presences
    let record: Record
    /// Told when a stream was opened or closed, or paused or resumed.
    var onSessionsChanged: (() -> Void)?
    private(set) var counts = Counts()
    private let started: NIODeadline

    /// What was done since the start.
    struct Counts {
        var fixes = 0
        var encoded = 0
        var delivered = 0
        /// On streams that are closed.
        var replaced = 0
    }

    init(
        on loop: any EventLoop, clock: @escaping () -> Timestamp, broker: AuthorizationBroker, gate: Gate, peers: Peers,
        receivers: ReceiverControl, monitoring: Monitoring, reduction: Reduction, presences: Presences,
        record: Record
    ) {
        self.loop = loop
        self.clock = clock
        self.broker = broker
        self.peers = peers
        self.receivers = receivers
        self.gate = gate
        self.monitoring = monitoring
        self.reduction = reduction
        self.presences = presences
        self.record = record
        headings = HeadingMonitoring(gate: gate, record: record, on: loop)
        started = loop.now
        receivers.onFix = { [unowned self] fix in publish(fix) }
        receivers.onHeading = { [unowned self] heading in publish(heading) }
        receivers.onAvailability = { [unowned self] available in
            for app in self.peers.apps.values { app.deliver(available ? .receiverFound : .receiverLost) }
        }
        broker.onChange = { [unowned self] key in authorizationChanged(key) }
        peers.onFirstConnection = { [unowned self] key in self.broker.connected(key) }
        peers.onLastConnectionClosed = { [unowned self] key in self.broker.disconnected(key) }
        reduction.onSettled = { [unowned self] location in publish(reduced: location) }
        reduction.onPlanChanged = { [unowned self] in demandChanged() }
        peers.onDeclarationEnded = { [unowned self] app in presenceChanged(of: app) }
        presences.onChange = { [unowned self] in presenceChanged() }
    }

    /// How long the daemon has been running.
    var uptime: TimeAmount { loop.now - started }

    /// Whether the process that makes a call is in use.
    func presence(of call: Call) -> Presence { presences.presence(of: call.app, call.connection.peer) }

    /// A stream was opened.
    func open(_ session: Session, of app: ConnectedApp) {
        app.add(session)
        record.streamsChanged(of: app, through: gate)
        sessionsChanged()
    }

    /// A stream has ended.
    func close(_ session: Session, of app: ConnectedApp) {
        app.remove(session)
        record.streamsChanged(of: app, through: gate)
        counts.replaced += session.replaced
        sessionsChanged()
    }

    /// A stream of events was opened.
    func open(_ stream: EventStream, of app: ConnectedApp) {
        app.add(stream)
        record.streamsChanged(of: app, through: gate)
        sessionsChanged()
    }

    /// A stream of events has ended.
    func close(_ stream: EventStream, of app: ConnectedApp) {
        app.remove(stream)
        record.streamsChanged(of: app, through: gate)
        sessionsChanged()
    }

    /// Something that asks for locations began or ended.
    func sessionsChanged() {
        demandChanged()
        onSessionsChanged?()
    }

    /// Has the receivers work as hard as all who ask need together.
    func demandChanged() {
        reduction.setWanted(peers.apps.values.contains { $0.wantsReduced(through: gate) } || monitoring.wantsReduced)
        var plan = headings.plan.merged(with: reduction.plan)
        for app in peers.apps.values {
            if plan == .continuous { break }
            plan = plan.merged(with: app.plan(through: gate))
        }
        if plan != .continuous { plan = plan.merged(with: monitoring.plan) }
        receivers.follow(plan)
    }

    private func publish(_ fix: Fix) {
        peers.closeConnectionsOfEndedProcesses()
        var isPlanChanged = publish(Publication(fix.location))
        counts.fixes += 1
        if !monitoring.apps.isEmpty {
            monitoring.observe(Publication(fix.location))
            isPlanChanged = true
        }
        reduction.observe(fix.location)
        if isPlanChanged { demandChanged() }
    }

    /// What the reducer made of a fix, to all who may have that.
    private func publish(reduced location: Location) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(location, accuracy: .reduced)
        if publish(publication) { demandChanged() }
        monitoring.observe(publication)
    }

    /// Delivers to the apps that are connected. Whether a stream has paused or resumed.
    private func publish(_ publication: Publication) -> Bool {
        var isPlanChanged = false
        for app in peers.apps.values {
            let outcome = app.deliver(publication, through: gate, recordedIn: record)
            counts.delivered += outcome.delivered
            if outcome.isPlanChanged { isPlanChanged = true }
        }
        counts.encoded += publication.encoded
        if isPlanChanged { onSessionsChanged?() }
        return isPlanChanged
    }

    private func publish(_ heading: Heading) {
        guard !headings.streams.isEmpty else { return }
        peers.closeConnectionsOfEndedProcesses()
        headings.deliver(heading)
    }

    private func authorizationChanged(_ key: AppKey) {
        if let app = peers.apps[key] {
            app.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
            for session in app.sessions { tellAvailability(session) }
            for oneShot in app.oneShots {
                oneShot.presence = presences.presence(of: app, oneShot.call.connection.peer)
            }
        }
        monitoring.authorizationChanged(key)
        headings.authorizationChanged()
        if let app = peers.apps[key] { record.streamsChanged(of: app, through: gate) }
        sessionsChanged()
    }

    /// What a session has not heard while it was suspended.
    private func tellAvailability(_ session: Session) {
        if receivers.isUnavailable {
            session.tell(.receiverLost)
        } else if receivers.receivers.contains(where: { $0.state == .running }) {
            session.tell(.receiverFound)
        }
    }

    /// The wall clock was set or, where `sleep` is not 0, the machine slept for so long.
    func clockChanged(slept sleep: TimeAmount) {
        if sleep > .zero { receivers.woke(after: sleep) }
        broker.clockChanged()
        reduction.clockChanged()
        _ = record.log.flush()
    }

    /// Whether there is nothing to do, and nothing to lose by ending.
    var isIdle: Bool {
        peers.connectionCount == 0 && monitoring.apps.isEmpty && receivers.isClosed && !receivers.isSimulating
            && broker.isAtRest
    }

    /// The user who is at the machine has come or gone.
    private func presenceChanged() {
        for app in peers.apps.values { followPresence(of: app) }
        monitoring.presenceChanged(presences, peers.apps)
        headings.presenceChanged(presences, peers.apps)
        for app in peers.apps.values { record.streamsChanged(of: app, through: gate) }
        sessionsChanged()
    }

    /// A process of the app has gone to the background, or come back.
    ///
    /// Attack: an app says so thousands of times a second. That costs what its own streams cost, not everybody's.
    func presenceChanged(of app: ConnectedApp) {
        followPresence(of: app)
        monitoring.presenceChanged(presences, [app.key: app])
        headings.presenceChanged(presences, [app.key: app])
        record.streamsChanged(of: app, through: gate)
        sessionsChanged()
    }

    private func followPresence(of app: ConnectedApp) {
        for session in app.sessions {
            session.presence = presences.presence(of: app, session.call.connection.peer)
            if session.followPresence(of: app.key, through: gate) { tellAvailability(session) }
        }
        for oneShot in app.oneShots {
            oneShot.presence = presences.presence(of: app, oneShot.call.connection.peer)
        }
    }
}
