internal import LocationModel
internal import NIOCore
internal import Receivers

/// Delivers the receivers' reports to every app that may have them. Confined to the event loop.
package final class Publisher: ReceiverControlDelegate, ReductionScheduleDelegate {
    /// The number of fixes and deliveries since the start.
    package struct Counts {
        package fileprivate(set) var fixes = 0
        package fileprivate(set) var delivered = 0
    }

    package var counts: Counts { _counts }
    private var _counts = Counts()

    private let peers: Peers
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let reduction: ReductionSchedule
    private let history: AccessHistory
    private let gate: Gate
    private let planner: DemandPlanner
    private let streams: OpenStreams
    private let reports: ReportDemand
    private let places: RememberedPlaces

    init(
        peers: Peers, monitoring: Monitoring, headings: HeadingMonitoring, reduction: ReductionSchedule,
        history: AccessHistory,
        gate: Gate, planner: DemandPlanner, streams: OpenStreams, reports: ReportDemand, places: RememberedPlaces
    ) {
        self.peers = peers
        self.monitoring = monitoring
        self.headings = headings
        self.reduction = reduction
        self.history = history
        self.gate = gate
        self.planner = planner
        self.streams = streams
        self.reports = reports
        self.places = places
    }

    /// Publishes a fix, with full accuracy, and the requested reports on its epoch.
    func publish(_ publication: Publication, receivedAt: NIODeadline) {
        peers.closeConnectionsOfEndedProcesses()
        places.keep(publication.location, receivedAt: receivedAt)
        var isPlanChanged = deliver(publication, isFix: true)
        if !monitoring.isIdle {
            monitoring.observe(publication)
            isPlanChanged = true
        }
        reduction.observe(publication, receivedAt: receivedAt)
        if planner.observe(publication) { isPlanChanged = true }
        if isPlanChanged { planner.update() }
    }

    /// Publishes a remembered place. Significant changes, regions and visits are decided by fixes.
    func publish(remembered location: Location) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(remembered: location, isProvisional: !places.isSearchOver)
        if deliver(publication, isFix: false) { planner.update() }
        reduction.observe(remembered: location)
    }

    /// Publishes a location of the reducer.
    func publish(reduced location: Location) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(reduced: location)
        if deliver(publication, isFix: false) { planner.update() }
        if !reduction.isOfMemory { monitoring.observe(publication) }
    }

    /// Publishes a heading.
    func publish(_ heading: Heading) {
        guard !headings.streams.isEmpty || !reports.isEmpty else { return }
        peers.closeConnectionsOfEndedProcesses()
        if !headings.streams.isEmpty { headings.deliver(heading) }
        guard !reports.isEmpty else { return }
        for app in peers.connected { app.deliver(heading, through: gate, countedIn: history) }
    }

    /// Publishes the bytes of a receiver.
    func publish(_ bytes: ReceivedBytes) {
        peers.closeConnectionsOfEndedProcesses()
        for app in peers.connected { app.deliver(bytes, through: gate, countedIn: history) }
    }

    /// Publishes that a receiver has no fix.
    func publish(withoutFix update: ReceiverUpdate) {
        peers.closeConnectionsOfEndedProcesses()
        for app in peers.connected { app.deliver(withoutFix: update, through: gate, countedIn: history) }
    }

    /// Has the place published where no receiver has a fix.
    func receiverFoundNoFix() { places.receiverFoundNoFix() }

    /// Reports to the subscriptions with that accuracy that a receiver is available again, or that none is.
    func publish(availability isAvailable: Bool, to accuracy: AccuracyAuthorization) {
        for app in peers.connected { app.report(receiverLost: !isAvailable, to: accuracy) }
        if !isAvailable { places.receiversWereLost() }
    }

    /// Updates the receivers' plan after a change of the reducer's.
    func reductionPlanChanged() { planner.update() }

    /// Delivers to the apps that are connected. Returns whether a subscription has paused or resumed.
    private func deliver(_ publication: Publication, isFix: Bool) -> Bool {
        var (delivered, isPlanChanged) = (0, false)
        for app in peers.connected {
            let outcome = app.deliver(publication, through: gate, countedIn: history)
            delivered += outcome.delivered
            if outcome.isPlanChanged { isPlanChanged = true }
        }
        if isFix { _counts.fixes += 1 }
        _counts.delivered += delivered
        if isPlanChanged { streams.changes.report(.subscriptions) }
        return isPlanChanged
    }
}
