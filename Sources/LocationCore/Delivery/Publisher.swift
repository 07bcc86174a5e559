internal import LocationModel
internal import Receivers

/// Brings what the receivers report to everybody who may have it. Confined to the event loop.
package final class Publisher {
    /// What was done since the start.
    package struct Counts {
        package internal(set) var fixes = 0
        package internal(set) var delivered = 0
    }

    package private(set) var counts = Counts()

    private let peers: Peers
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let reduction: Reduction
    private let history: AccessHistory
    private let gate: Gate
    private let planner: DemandPlanner
    private let streams: OpenStreams

    init(
        peers: Peers, monitoring: Monitoring, headings: HeadingMonitoring, reduction: Reduction, history: AccessHistory,
        gate: Gate, planner: DemandPlanner, streams: OpenStreams
    ) {
        self.peers = peers
        self.monitoring = monitoring
        self.headings = headings
        self.reduction = reduction
        self.history = history
        self.gate = gate
        self.planner = planner
        self.streams = streams
    }

    /// Publishes an exact fix.
    func publish(_ fix: Fix) {
        peers.closeConnectionsOfEndedProcesses()
        var isPlanChanged = deliver(Publication(fix.location))
        counts.fixes += 1
        if !monitoring.apps.isEmpty {
            monitoring.observe(Publication(fix.location))
            isPlanChanged = true
        }
        reduction.observe(fix.location)
        if isPlanChanged { planner.update() }
    }

    /// Publishes what the reducer made of a fix.
    func publish(reduced location: Location) {
        peers.closeConnectionsOfEndedProcesses()
        let publication = Publication(location, accuracy: .reduced)
        if deliver(publication) { planner.update() }
        monitoring.observe(publication)
    }

    /// Publishes a heading.
    func publish(_ heading: Heading) {
        guard !headings.streams.isEmpty else { return }
        peers.closeConnectionsOfEndedProcesses()
        headings.deliver(heading)
    }

    /// Reports that receivers can be used again, or none can.
    func publish(availability isAvailable: Bool) {
        for app in peers.apps.values { app.report(receiverLost: !isAvailable) }
    }

    /// Delivers to the apps that are connected. Returns whether a stream has paused or resumed.
    private func deliver(_ publication: Publication) -> Bool {
        var isPlanChanged = false
        for app in peers.apps.values {
            let outcome = app.deliver(publication, through: gate, countedIn: history)
            counts.delivered += outcome.delivered
            if outcome.isPlanChanged { isPlanChanged = true }
        }
        if isPlanChanged { streams.onChange?() }
        return isPlanChanged
    }
}
