internal import AuthorizationPolicy
package import Beacons
package import LocationModel

/// The open streams of the beacons in range, and the scan for them and for beacon regions.
///
/// Attack: a list of beacons, or none, is a place: a shop, or a room. So it passes the gate as region crossings do, for
/// apps with full accuracy only, and is counted.
package final class BeaconRanging {
    /// The maximum number of streams of one app. Each list of beacons is made in one turn of the loop, each second.
    package static let maximumCountPerApp = 32

    private let scanner: BeaconScanner
    private let gate: Gate
    private let history: AccessHistory
    private let peers: Peers
    private let monitoring: Monitoring
    package private(set) var streams: [RangingStream] = []

    /// A stream with its constraint.
    package final class RangingStream: AppStream {
        let events: EventStream<RangingReport>
        package let app: AppKey
        let pattern: BeaconPattern
        /// The time since when the app may have the beacons, by the scanner's clock, or `nil` if it may not have any.
        var dueSince: Double?
        /// A Boolean value indicating whether the app knows that no beacon can be found. It is notified once.
        var isUnavailable = false
        /// The stream without the type of its events.
        package var stream: AnyEventStream { events }

        init(_ events: EventStream<RangingReport>, of app: AppKey, _ pattern: BeaconPattern) {
            self.events = events
            self.app = app
            self.pattern = pattern
        }

        /// Returns the report about the beacons in range.
        ///
        /// Attack: the scan goes on for another app, also of another user. The first report would show the beacons that
        /// were heard before the app asked, and so that the other one ranges them.
        func report(_ beacons: [BeaconTable.HeardBeacon]) -> RangingReport {
            let since = dueSince ?? .infinity
            return RangingReport(beacons: beacons.filter { $0.heard >= since }.map(\.beacon))
        }

        /// The requirements for ranging.
        var need: Need { events.presence == .inUse ? .regions : .regionsInBackground }
    }

    init(_ scanner: BeaconScanner, gate: Gate, history: AccessHistory, peers: Peers, monitoring: Monitoring) {
        self.scanner = scanner
        self.gate = gate
        self.history = history
        self.peers = peers
        self.monitoring = monitoring
        scanner.onReport = { [unowned self] in deliver() }
        scanner.onChanges = { monitoring.observeBeacons($0) }
        monitoring.stateOfBeacons = { scanner.state(of: $0) }
    }

    /// Returns whether the machine has a Bluetooth adapter, or beacons are simulated.
    ///
    /// Attack: an app without a grant learns from it when the user simulates beacons.
    func isPossible(for app: AppKey) -> Bool {
        BeaconScanner.hasAdapter() || isSimulating && (try? gate.check(app, for: .regions)) != nil
    }

    /// A Boolean value indicating whether beacons are simulated.
    package var isSimulating: Bool { scanner.isSimulating }

    /// Returns the reason why no beacon can be found, or `nil` if there is none, or no app of these users wants any.
    ///
    /// Attack: a user who manages only their own apps learns from the reason when another user's app wants beacons.
    package func unavailability(forAppsOf isManaged: (UInt32) -> Bool) -> String? {
        let isWanted =
            streams.contains { isManaged($0.app.uid) }
            || monitoring.apps.values.contains { $0.hasBeacons && isManaged($0.key.uid) }
        return isWanted ? scanner.unavailability : nil
    }

    /// Replaces the real beacons with simulated ones or, if there are none, ends that.
    package func simulate(_ beacons: [SimulatedBeacon]) { scanner.simulate(beacons) }

    /// Handles the end of a sleep of the machine.
    func woke() { scanner.woke() }

    /// Ends the scan.
    func stop() { scanner.stop() }

    /// Opens a stream. Returns the function that ends it.
    func open(
        _ events: EventStream<RangingReport>, of app: AppKey, _ pattern: BeaconPattern
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(app, for: .regions)
        guard streams.count(where: { $0.app == app }) < Self.maximumCountPerApp else {
            throw .limitExceeded(limit: "rangingStreamsPerApp")
        }
        let stream = RangingStream(events, of: app, pattern)
        streams.append(stream)
        return { [unowned self] in streams.removeAll { $0 === stream } }
    }

    /// Scans for the beacons that the streams and the monitored regions want, except for streams of apps in the
    /// background that may have beacons only while they are in use.
    func followDemand() {
        for stream in streams {
            let isDue = (try? gate.check(stream.app, for: stream.need)) != nil
            stream.dueSince = isDue ? stream.dueSince ?? scanner.now : nil
        }
        let due = streams.filter { $0.dueSince != nil }
        scanner.follow(
            ranged: Set(due.map(\.pattern)), watched: monitoring.watchedBeacons, isAttentive: monitoring.awaitsBeacons)
        if due.contains(where: { !$0.isUnavailable }) { scanner.reportSoon() }
    }

    /// Delivers the beacons in range on every stream that they are due on.
    private func deliver() {
        peers.closeConnectionsOfEndedProcesses()
        let unavailability = scanner.unavailability
        var heard: [BeaconPattern: [BeaconTable.HeardBeacon]] = [:]
        for stream in streams {
            if unavailability != nil, stream.isUnavailable { continue }
            do throws(LocationFailure) {
                let released = try gate.release(
                    stream.pattern, madeFor: stream.app, needing: .regions, presence: stream.events.presence)
                guard let released else { continue }
                let report = released.map { pattern in
                    if let unavailability { return RangingReport(beacons: [], unavailable: unavailability) }
                    let beacons = heard[pattern] ?? scanner.beacons(matching: pattern)
                    heard[pattern] = beacons
                    return stream.report(beacons)
                }
                stream.isUnavailable = unavailability != nil
                stream.events.send(history.count(report))
            } catch {
                stream.events.subscriber.end(error)
            }
        }
    }

    /// Handles the coming or going of an app, or of the user at the machine.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        streams.presenceChanged(presences, connected)
    }

    /// Handles a change of the app's authorization.
    func authorizationChanged(_ key: AppKey) { streams.authorizationChanged(key, for: .regions, by: gate) }
}
