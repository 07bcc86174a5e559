internal import AuthorizationPolicy
internal import Beacons
internal import Bytewise
package import LocationModel
internal import Positioning

/// The monitoring of significant changes, regions and visits, which continues for apps that are not connected.
///
/// An app that may have the location only while it is in use gets the events of that time, on its open streams. A
/// stream of significant changes begins with the last known location, of any age: the app gets the same from a request
/// with a large maximum age. No events are kept for the app, and it is not started. Its registrations take effect once
/// it may have the location always.
///
/// Everything that outlasts a stream is on the disk, and continues from there when the daemon starts. Confined to the
/// event loop.
package final class Monitoring {
    /// The apps that monitor something.
    package private(set) var apps: [AppKey: MonitoredApp] = [:] { didSet { hasApps = !apps.isEmpty } }
    /// A Boolean value indicating whether nothing is monitored.
    var isIdle: Bool { !hasApps }
    private var hasApps = false
    package let visitLog: VisitLog
    let delivery: EventDelivery
    let gate: Gate
    let clock: () -> Timestamp
    /// The last fix, which determines when the regions are checked next.
    private(set) var lastLocation: Location?
    /// One detector for the machine: where the device stays does not depend on the app. Apps that may have the location
    /// only while they are in use have their own.
    var visitDetector: VisitDetector?
    let writer: MonitoringWriter
    /// Returns the present state of a beacon region.
    var stateOfBeacons: (BeaconWatch) -> RegionState = { _ in .unknown }
    /// The present time, for the age of visits.
    let retention: RetentionTime

    init(
        _ records: MonitoringRecords, writer: MonitoringWriter, delivery: EventDelivery, gate: Gate,
        retention: RetentionTime, clock: @escaping () -> Timestamp
    ) {
        self.retention = retention
        self.writer = writer
        self.delivery = delivery
        self.gate = gate
        self.clock = clock
        visitLog = VisitLog(records.visits)
        for record in records.monitorings {
            switch record.kind {
            case .significantChanges:
                let app = app(record.app)
                app.significantChanges.record = record
                app.significantChange = SignificantChange(lastDelivered: record.lastDelivered)
            case .visits: app(record.app).visits.record = record
            }
        }
        for record in records.regions {
            app(record.app).regions[BytewiseString(record.region.identifier)] = MonitoredRegion(record)
        }
        if !visitingApps.isEmpty { visitDetector = VisitDetector(current: visitLog.current) }
        writer.write(.clearVisitsBefore(visitLog.prune(at: retention.now)))
    }

    /// The history, which counts everything that is sent.
    var history: AccessHistory { delivery.history }

    /// Returns the receiver plan that all monitoring together needs. At a place, as the surroundings show it, only
    /// regions need one: whether the device is in a region is decided by fixes alone.
    func plan(_ motion: Stillness.Motion) -> ReceiverPlan {
        apps.values.reduce(.off) { $0.merged(with: plan(of: $1, motion)) }
    }

    /// A Boolean value indicating whether any app gets significant changes made from the reducer's locations.
    var wantsReduced: Bool {
        apps.values.contains {
            $0.significantChanges.isActive && isAuthorized($0, $0.needOfSignificantChanges)
                && gate.accuracy(of: $0.key, wanted: .full) == .reduced
        }
    }

    /// A Boolean value indicating whether any app has circles monitored, so that the plan depends on their distance.
    var monitorsRegions: Bool {
        apps.values.contains { $0.hasCircles && isAuthorized($0, $0.needOfRegions) }
    }

    /// The beacon regions that are monitored.
    var watchedBeacons: Set<BeaconWatch> {
        var watches: Set<BeaconWatch> = []
        for app in apps.values where app.hasBeacons && isAuthorized(app, app.needOfRegions) {
            watches.formUnion(app.regions.values.compactMap(\.watch))
        }
        return watches
    }

    /// A Boolean value indicating whether an app in use waits for the crossings of beacon regions.
    var awaitsBeacons: Bool {
        apps.values.contains { $0.hasBeacons && $0.presenceOfRegions == .inUse && isAuthorized($0, .regions) }
    }

    /// Returns the present state of a region. With beacons, it is unknown while nothing has listened for them.
    func currentState(of region: MonitoredRegion) -> RegionState { region.watch.map(stateOfBeacons) ?? region.state }

    private func plan(of app: MonitoredApp, _ motion: Stillness.Motion) -> ReceiverPlan {
        let isAtPlace = motion == .settling || motion == .still
        var plan = ReceiverPlan.off
        // For reduced accuracy, the receivers follow the reducer's plan.
        if app.significantChanges.isActive, isAuthorized(app, app.needOfSignificantChanges),
            gate.accuracy(of: app.key, wanted: .full) == .full,
            !isAtPlace || app.significantChange.lastDelivered == nil
        {
            plan = .significantChanges
        }
        if app.visits.isActive, !isAtPlace, isAuthorized(app, app.needOfVisits) {
            plan = plan.merged(with: motion == .moving ? .visitsOnTheWay : .visits)
        }
        guard app.hasCircles, isAuthorized(app, app.needOfRegions) else { return plan }
        let nearest = app.regions.values.compactMap { $0.circle?.interval(from: lastLocation) }.min() ?? 0
        return plan.merged(with: .region(seconds: nearest))
    }

    func isAuthorized(_ app: MonitoredApp, _ need: Need) -> Bool {
        (try? gate.check(app.key, for: need)) != nil
    }

    /// Returns whether events of that need are recorded for the app. For a provisional `always`, events in the
    /// background are only detected in memory: the first one has the user prompted.
    func isRecorded(_ app: MonitoredApp, _ need: Need) -> Bool { gate.mayRecord(for: app.key, needing: need) }

    /// Returns the streams due to get an event: only streams in use, unless the app may have the location always.
    ///
    /// Attack: an app that may have the location while it is in use has a process in use, and leaves another one in
    /// the background, which gets the events too.
    private func due<Event>(_ streams: [EventStream<Event>], to app: MonitoredApp) -> [EventStream<Event>] {
        streams.filter { gate.isDelivering(to: app.key, presence: $0.presence) }
    }

    /// Returns the app's entry, and creates it if there is none.
    func app(_ key: AppKey) -> MonitoredApp {
        if let app = apps[key] { return app }
        let app = MonitoredApp(key: key)
        apps[key] = app
        return app
    }

    /// Forgets the app's entry if the app no longer monitors anything.
    func tidy(_ app: MonitoredApp) {
        if app.isIdle { apps[app.key] = nil }
    }

    // MARK: Locations and changes

    /// Handles a location: a fix that counts, or one of the reducer's locations.
    func observe(_ publication: Publication) {
        for app in apps.values { observeChange(publication, of: app) }
        guard publication.accuracy == .full else { return }
        lastLocation = publication.location
        for app in apps.values { observeRegions(publication.location, of: app) }
        let location = publication.location
        observeVisits(at: location.timestamp) { detector, _ in detector.observe(location) }
    }

    /// Delivers the reducer's last location on an app's open streams of significant changes, unless they have had it.
    /// An app that is not running is not started for it.
    func replaceLast(with publication: Publication, of key: AppKey) {
        guard let app = apps[key], !app.significantChanges.streams.isEmpty else { return }
        observeChange(publication, of: app)
    }

    /// Updates the presence of every stream, after an app or the user at the machine has come or gone.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        for app in apps.values {
            guard let connection = connected[app.key] else { continue }
            for stream in app.streams {
                stream.presence = presences.presence(of: connection, stream.subscriber.client)
            }
            forgetStayInUse(of: app)
        }
    }

    /// Handles a change of the app's authorization.
    func authorizationChanged(_ key: AppKey) {
        guard let app = apps[key] else { return }
        refuse(app.significantChanges.streams, of: app, .whenInUse)
        refuse(app.visits.streams, of: app, .visits)
        refuse(app.regionStreams, of: app, .regions)
        forgetStayInUse(of: app)
        endUnobservedVisits()
        forgetBackground(of: app)
        let accuracy = gate.accuracy(of: key, wanted: .full)
        guard accuracy != app.accuracy else { return }
        app.accuracy = accuracy
        // Attack: remembered full-accuracy locations would decide which reduced ones count, or would be sent later.
        app.significantChange = SignificantChange()
        store(lastDelivered: nil, of: app)
        if accuracy == .reduced { delivery.forget(app.key) }
    }

    /// Forgets the data from an app's time in the background, unless the app may have the location always. That
    /// includes the states of its regions, unless the app is in use and so knows them.
    ///
    /// Attack: the power is cut when the end of `always` is on the disk, but the data kept under it has not been
    /// removed yet. The app, which may have the location only while it is in use, comes to collect it. So this is also
    /// done when a stream is opened.
    func forgetBackground(of app: MonitoredApp) {
        guard !isRecorded(app, .always) else { return }
        delivery.forget(app.key)
        if app.significantChanges.record?.lastDelivered != nil { store(lastDelivered: nil, of: app) }
        if app.presenceOfRegions != .inUse { forgetRegionStates(of: app) }
    }

    private func forgetRegionStates(of app: MonitoredApp) {
        for (identifier, region) in app.regions {
            var record = region.record
            record.state = .unknown
            app.regions[identifier] = MonitoredRegion(record)
            if record != region.record { writer.write(.putRegion(record)) }
        }
    }

    /// Stores the starting point of the next significant change after a restart. Only an app that may have the location
    /// always needs it: for another app, it would only be a trace on the disk.
    func store(lastDelivered location: Location?, of app: MonitoredApp) {
        guard location == nil || isRecorded(app, .always), var record = app.significantChanges.record else { return }
        record.lastDelivered = location
        app.significantChanges.record = record
        writer.write(.put(record))
    }

    /// Ends streams that the app may no longer have.
    private func refuse(_ streams: [AnyEventStream], of app: MonitoredApp, _ need: Need) {
        do throws(LocationFailure) {
            try gate.check(app.key, for: need)
        } catch {
            for stream in streams { stream.subscriber.end(error) }
        }
    }

    private func observeChange(_ publication: Publication, of app: MonitoredApp) {
        guard app.significantChanges.isActive,
            let released = try? gate.release(
                publication, to: app.key, needing: app.needOfSignificantChanges,
                presence: app.significantChanges.presence),
            released.verdict(of: { isChange($0.location, $0.accuracy, of: app) })
        else { return }
        deliverChange(released.map(\.location), at: publication.location, to: app)
    }

    /// Returns whether the device has moved to another block or, for an app with reduced accuracy, to another cell.
    private func isChange(_ location: Location, _ accuracy: AccuracyAuthorization, of app: MonitoredApp) -> Bool {
        guard accuracy == .reduced, let last = app.significantChange.lastDelivered else {
            return app.significantChange.admits(location)
        }
        guard last.latitude != location.latitude || last.longitude != location.longitude else { return false }
        app.significantChange.restart(with: location)
        return true
    }

    /// Delivers a location that counts as a significant change.
    private func deliverChange(_ released: Released<Location>, at location: Location, to app: MonitoredApp) {
        store(lastDelivered: location, of: app)
        delivery.deliver(
            released, on: due(app.significantChanges.streams, to: app), wake: app.significantChanges.record?.wake)
    }

    private func observeRegions(_ location: Location, of app: MonitoredApp) {
        guard app.hasCircles, isAuthorized(app, app.needOfRegions) else { return }
        for key in app.regions.keys.sorted() {
            guard let change = app.regions[key]?.circle?.observe(location) else { continue }
            report(change, ofRegion: key, of: app, location: location)
        }
    }

    /// Handles results about beacon regions.
    func observeBeacons(_ changes: [BeaconPresences.Change]) {
        for app in apps.values where app.hasBeacons && isAuthorized(app, app.needOfRegions) {
            for key in app.regions.keys.sorted() {
                guard let watch = app.regions[key]?.watch,
                    let current = changes.first(where: { $0.watch == watch }),
                    let change = app.regions[key]?.observe(current.state)
                else { continue }
                report(change, ofRegion: key, of: app, beacon: current.beacon)
            }
        }
    }

    /// Records a change of the state of a region, and delivers it.
    private func report(
        _ change: RegionMonitor.Change, ofRegion key: BytewiseString, of app: MonitoredApp, location: Location? = nil,
        beacon: BeaconIdentity? = nil
    ) {
        guard var region = app.regions[key] else { return }
        let identifier = key.text
        if region.record.state != region.state, isRecorded(app, app.needOfRegions) {
            region.record.state = region.state
            app.regions[key] = region
            writer.write(.putRegion(region.record))
        }
        switch change {
        // This is not a crossing, so only the open streams get it.
        case .determined:
            for stream in app.regionStreams {
                try? send(region.state, ofRegion: identifier, on: stream, of: app.key)
            }
        case .crossed(let state) where region.record.region.reports(crossingTo: state):
            let event = RegionEvent(
                identifier: identifier, state: state, location: location,
                beacon: beacon?.constraint ?? region.record.region.beacons?.constraint)
            deliver(event, of: region, to: app)
        // A crossing that the app does not want makes the previous one, which is kept, worthless.
        case .crossed: delivery.forget(app.key, .region, subject: identifier)
        }
    }

    private func deliver(_ crossing: RegionEvent, of region: MonitoredRegion, to app: MonitoredApp) {
        guard
            let released = try? gate.release(
                crossing, madeFor: app.key, needing: app.needOfRegions, presence: app.presenceOfRegions)
        else { return }
        delivery.deliver(
            released, subject: crossing.identifier, on: due(app.regionStreams, to: app), wake: region.record.wake)
    }

    /// Delivers a visit that has begun or ended.
    func deliver(_ visit: Visit, to app: MonitoredApp) {
        guard
            let released = try? gate.release(
                visit, madeFor: app.key, needing: app.needOfVisits, presence: app.visits.presence)
        else { return }
        delivery.deliver(released, on: due(app.visits.streams, to: app), wake: app.visits.record?.wake)
    }
}
