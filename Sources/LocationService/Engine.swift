internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers

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
        receivers: ReceiverControl, monitoring: Monitoring
    ) {
        self.loop = loop
        self.clock = clock
        self.broker = broker
        self.peers = peers
        self.receivers = receivers
        self.gate = gate
        self.monitoring = monitoring
        headings = HeadingMonitoring(gate: gate, on: loop)
        started = loop.now
        receivers.onFix = { [unowned self] fix in publish(fix) }
        receivers.onHeading = { [unowned self] heading in publish(heading) }
        receivers.onAvailability = { [unowned self] available in
            for app in self.peers.apps.values { app.deliver(available ? .receiverFound : .receiverLost) }
        }
        broker.onChange = { [unowned self] key in authorizationChanged(key) }
        peers.onLastConnectionClosed = { [unowned self] key in self.broker.lastConnectionClosed(of: key) }
    }

    /// How long the daemon has been running.
    var uptime: TimeAmount { loop.now - started }

    /// A stream was opened.
    func open(_ session: Session, of app: ConnectedApp) {
        app.add(session)
        sessionsChanged()
    }

    /// A stream has ended.
    func close(_ session: Session, of app: ConnectedApp) {
        app.remove(session)
        counts.replaced += session.replaced
        sessionsChanged()
    }

    /// Something that asks for locations began or ended.
    func sessionsChanged() {
        demandChanged()
        onSessionsChanged?()
    }

    /// Has the receivers work as hard as all who ask need together.
    func demandChanged() {
        var plan = headings.plan
        for app in peers.apps.values {
            if plan == .continuous { break }
            plan = plan.merged(with: app.plan)
        }
        if plan != .continuous { plan = plan.merged(with: monitoring.plan) }
        receivers.follow(plan)
    }

    private func publish(_ fix: Fix) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(fix.location)
        var sessionsChanged = false
        for app in peers.apps.values {
            let outcome = app.deliver(publication, through: gate)
            counts.delivered += outcome.delivered
            if outcome.isPlanChanged { sessionsChanged = true }
        }
        counts.fixes += 1
        counts.encoded += publication.encoded
        let isMonitored = !monitoring.apps.isEmpty
        if isMonitored { monitoring.observe(fix.location) }
        if sessionsChanged || isMonitored { demandChanged() }
        if sessionsChanged { onSessionsChanged?() }
    }

    private func publish(_ heading: Heading) {
        guard !headings.streams.isEmpty else { return }
        peers.closeConnectionsOfEndedProcesses()
        headings.deliver(heading)
    }

    private func authorizationChanged(_ key: AppKey?) {
        if let key {
            peers.apps[key]?.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
        } else {
            for (key, app) in peers.apps {
                app.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
            }
        }
        monitoring.authorizationChanged(key)
        headings.authorizationChanged()
        demandChanged()
    }
}
