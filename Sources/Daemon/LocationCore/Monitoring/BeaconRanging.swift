internal import AuthorizationPolicy
package import Beacons
internal import Glibc
package import LocationModel

/// The open streams of the beacons in range, and the scan for them and for beacon regions.
///
/// Attack: a list of beacons, or none, is a place: a shop, or a room. So it passes the gate as region crossings do, for
/// apps with full accuracy only, and is counted.
package final class BeaconRanging {
    private let scanner: BeaconScanner
    private let gate: Gate
    private let history: AccessHistory
    private let peers: Peers
    private let monitoring: Monitoring
    package private(set) var streams: [RangingStream] = []

    /// A stream with its constraint.
    package final class RangingStream {
        let events: EventStream<RangingReport>
        package let app: AppKey
        let pattern: BeaconPattern
        /// A Boolean value indicating whether the app knows that no beacon can be found. It is notified once.
        var isUnavailable = false
        /// The stream without the type of its events.
        package var stream: AnyEventStream { events }

        init(_ events: EventStream<RangingReport>, of app: AppKey, _ pattern: BeaconPattern) {
            self.events = events
            self.app = app
            self.pattern = pattern
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
        scanner.onChanges = { [unowned self] _ in observeBeacons() }
    }

    /// A Boolean value indicating whether the machine has a Bluetooth adapter, or beacons are simulated.
    var isPossible: Bool { isSimulating || access("/sys/class/bluetooth/hci0", F_OK) == 0 }

    /// A Boolean value indicating whether beacons are simulated.
    package var isSimulating: Bool { scanner.isSimulating }

    /// The reason why no beacon can be found, or `nil` if there is none, or no app wants any.
    package var unavailability: String? { scanner.unavailability }

    /// Replaces the real beacons with simulated ones or, if there are none, ends that.
    package func simulate(_ beacons: [SimulatedBeacon]) { scanner.simulate(beacons) }

    /// Ends the scan.
    func stop() { scanner.stop() }

    /// Opens a stream. Returns the function that ends it.
    func open(
        _ events: EventStream<RangingReport>, of app: AppKey, _ pattern: BeaconPattern
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(app, for: .regions)
        let stream = RangingStream(events, of: app, pattern)
        streams.append(stream)
        return { [unowned self] in streams.removeAll { $0 === stream } }
    }

    /// Scans for the beacons that the streams and the monitored regions want, except for streams of apps in the background that may have beacons
    /// only while they are in use.
    func followDemand() {
        let due = streams.filter { (try? gate.check($0.app, for: $0.need)) != nil }
        let watched = monitoring.watchedBeacons
        scanner.follow(ranged: Set(due.map(\.pattern)), watched: watched)
        // The state of a new region is known already if another one has the same beacons.
        if !watched.isEmpty { observeBeacons() }
    }

    private func observeBeacons() { monitoring.observeBeacons(scanner.state(of:)) }

    /// Delivers the beacons in range on every stream that they are due on.
    private func deliver() {
        peers.closeConnectionsOfEndedProcesses()
        for stream in streams {
            do throws(LocationFailure) {
                let report = scanner.report(for: stream.pattern)
                let isUnavailable = report.unavailable != nil
                if isUnavailable, stream.isUnavailable { continue }
                let released = try gate.release(
                    report, madeFor: stream.app, needing: .regions, presence: stream.events.presence)
                guard let released else { continue }
                stream.isUnavailable = isUnavailable
                stream.events.send(history.count(released))
            } catch {
                stream.events.subscriber.end(error)
            }
        }
    }

    /// Updates the presence of every stream, after an app or the user at the machine has come or gone.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        for stream in streams {
            guard let app = connected[stream.app] else { continue }
            stream.events.presence = presences.presence(of: app, stream.events.subscriber.client)
        }
    }

    /// Handles a change of the app's authorization: ends its streams if it may no longer have them.
    func authorizationChanged(_ key: AppKey) {
        do throws(LocationFailure) {
            try gate.check(key, for: .regions)
        } catch {
            for stream in streams where stream.app == key { stream.events.subscriber.end(error) }
        }
    }
}
