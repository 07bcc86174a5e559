internal import AuthorizationPolicy
package import Beacons
package import LocationModel
package import NIOCore
internal import Positioning
internal import Receivers

/// Opens streams of significant changes, visits, region crossings, headings and beacons, and has regions monitored.
package struct EventStreams {
    let monitoring: Monitoring
    let headings: HeadingMonitoring
    let beacons: BeaconRanging
    let waker: Waker
    let entitlements: EntitlementTracker
    let streams: OpenStreams
    let peers: Peers
    let receivers: ReceiverControl
    let reduction: ReductionSchedule
    let clock: () -> Timestamp

    /// Opens a stream of significant changes. It stays open until `subscriber` has ended, as every stream does.
    ///
    /// Attack: the networks of a remembered place are imitated, and an app that opens a stream gets the place as a
    /// change, which may be written as the start of the next one. So it begins with what receivers have found.
    ///
    /// - Parameter wake: The path of a socket for starting the app when later events occur.
    package func openSignificantChanges(
        of app: ConnectedApp, wake: String?, for subscriber: any EventSubscriber<Location>
    ) {
        open(of: app, wake: wake, for: subscriber) { (stream) throws(LocationFailure) in
            let exact = receivers.lastFix.map { Publication($0.fix) }
            let reduced = reduction.isOfMemory ? nil : reduction.lastKnown.map { Publication(reduced: $0) }
            return try monitoring.openSignificantChanges(
                stream, of: app.key, wake: wake, lastKnown: [exact, reduced].compactMap(\.self))
        }
    }

    /// Opens a stream of arrivals and departures.
    package func openVisits(of app: ConnectedApp, wake: String?, for subscriber: any EventSubscriber<Visit>) {
        open(of: app, wake: wake, for: subscriber) { (stream) throws(LocationFailure) in
            try monitoring.openVisits(stream, of: app.key, wake: wake)
        }
    }

    /// Opens a stream of the crossings of the app's regions.
    package func openRegions(of app: ConnectedApp, for subscriber: any EventSubscriber<RegionEvent>) {
        open(of: app, wake: nil, for: subscriber) { (stream) throws(LocationFailure) in
            try monitoring.openRegions(stream, of: app.key)
        }
    }

    /// A Boolean value indicating whether a receiver has a compass, or `nil` if that is not known.
    package var hasCompass: Bool? { receivers.hasCompass }

    /// Opens a stream of headings filtered by `degrees`, or by the default filter if `degrees` is `nil`.
    package func openHeadings(of app: ConnectedApp, degrees: Double?, for subscriber: any EventSubscriber<Heading>) {
        open(of: app, wake: nil, for: subscriber) { (stream) throws(LocationFailure) in
            try headings.open(stream, of: app.key, degrees: degrees)
        }
    }

    /// Returns whether the app can range beacons: the machine has a Bluetooth adapter, or beacons are simulated.
    package func canRangeBeacons(_ app: ConnectedApp) -> Bool { beacons.isPossible(for: app.key) }

    /// Opens a stream of the beacons in range that satisfy a constraint, once a second.
    package func openRanging(
        of app: ConnectedApp, _ pattern: BeaconPattern, for subscriber: any EventSubscriber<RangingReport>
    ) {
        open(of: app, wake: nil, for: subscriber) { (stream) throws(LocationFailure) in
            try beacons.open(stream, of: app.key, pattern)
        }
    }

    /// Opens a stream once the path of its wake socket is checked. `start` returns the function that ends it.
    private func open<Event>(
        of app: ConnectedApp, wake: String?, for subscriber: any EventSubscriber<Event>,
        _ start: @escaping (EventStream<Event>) throws(LocationFailure) -> () -> Void
    ) {
        check(wake, of: app) { failure in
            peers.closeConnectionsOfEndedProcesses()
            guard !subscriber.isEnded else { return }
            do throws(LocationFailure) {
                if let failure { throw failure }
                let stream = EventStream(
                    subscriber, since: clock(), presence: entitlements.presence(of: app, subscriber.client))
                let end = try start(stream)
                streams.open(stream, of: app)
                subscriber.whenEnded { [streams] in
                    end()
                    streams.close(stream, of: app)
                }
            } catch {
                subscriber.end(error)
            }
        }
    }

    /// Checks whether the app may be started through the socket `wake`, if any. `body` is called with the reason if
    /// not.
    private func check(_ wake: String?, of app: ConnectedApp, _ body: @escaping (LocationFailure?) -> Void) {
        guard let wake else { return body(nil) }
        waker.check(wake, of: app.key.uid).assumeIsolated().whenComplete { result in
            switch result {
            case .success: body(nil)
            case .failure(let error): body(.wakeRefused(reason: "\(error)"))
            }
        }
    }

    // MARK: Regions

    /// Starts monitoring a region once the path of its wake socket is checked. `body` is called with `nil` when the
    /// region is on the disk, or with the reason why it is not.
    package func startMonitoring(
        _ region: Region, of app: ConnectedApp, wake: String?, _ body: @escaping (LocationFailure?) -> Void
    ) {
        check(wake, of: app) { failure in
            do throws(LocationFailure) {
                if let failure { throw failure }
                let written = try monitoring.start(region, of: app.key, wake: wake)
                streams.changed()
                report(written, to: body)
            } catch {
                body(error)
            }
        }
    }

    /// Stops monitoring a region. `body` is called with `nil` when that is on the disk, or with the reason why it is
    /// not.
    package func stopMonitoring(
        _ identifier: String, of app: ConnectedApp, _ body: @escaping (LocationFailure?) -> Void
    ) {
        do throws(LocationFailure) {
            let written = try monitoring.stopRegion(identifier, of: app.key)
            streams.changed()
            report(written, to: body)
        } catch {
            body(error)
        }
    }

    /// Forgets everything registered by an app or kept for it, but not its grant or its streams. Succeeds once that is
    /// on the disk.
    package func clear(_ app: AppKey) -> EventLoopFuture<Void> {
        let written = monitoring.clear(app)
        streams.changed()
        return written
    }

    /// Returns the app's regions, sorted by identifier.
    package func regions(of app: ConnectedApp) -> [Region] { monitoring.regions(of: app.key) }

    /// Returns the state of a region of the app, or `nil` if the app has no such region. The state is for sending, so
    /// it is counted.
    package func state(
        ofRegion identifier: String, of app: ConnectedApp, on client: any Client
    ) throws(LocationFailure) -> RegionState? {
        try monitoring.state(
            ofRegion: identifier, of: app.key, presence: entitlements.presence(of: app, client))
    }

    private func report(_ written: EventLoopFuture<Void>, to body: @escaping (LocationFailure?) -> Void) {
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success: body(nil)
            case .failure(let error): body(.storeFailed(reason: "\(error)"))
            }
        }
    }
}
