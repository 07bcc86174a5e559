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
    /// Told when a stream was opened or closed.
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
        on loop: any EventLoop, clock: @escaping () -> Timestamp, broker: AuthorizationBroker, peers: Peers,
        receivers: ReceiverControl
    ) {
        self.loop = loop
        self.clock = clock
        self.broker = broker
        self.peers = peers
        self.receivers = receivers
        gate = Gate(broker: broker)
        started = loop.now
        receivers.onFix = { [unowned self] fix in publish(fix) }
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

    private func sessionsChanged() {
        demandChanged()
        onSessionsChanged?()
    }

    /// Runs the receivers while somebody asks.
    func demandChanged() {
        receivers.setDemand(peers.apps.values.contains(where: \.wantsLocation))
    }

    private func publish(_ fix: Fix) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(fix.location)
        for app in peers.apps.values { counts.delivered += app.deliver(publication, through: gate) }
        counts.fixes += 1
        counts.encoded += publication.encoded
    }

    private func authorizationChanged(_ key: AppKey?) {
        if let key {
            peers.apps[key]?.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
        } else {
            for (key, app) in peers.apps {
                app.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
            }
        }
    }
}
