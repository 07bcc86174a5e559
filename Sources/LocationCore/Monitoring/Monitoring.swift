internal import Bytewise
package import LocationModel
package import NIOCore
internal import Positioning

/// Significant changes, regions and visits: what apps are told of also when they are not connected.
///
/// Everything that outlasts a stream is on the disk, and goes on from there when the daemon starts. Confined to the event loop.
package final class Monitoring {
    /// The apps that monitor something.
    package private(set) var apps: [AppKey: MonitoredApp] = [:]
    package let visitLog: VisitLog
    let post: EventPost
    let gate: Gate
    let clock: () -> Timestamp
    /// The last fix, by which the next look at the regions is planned.
    private(set) var lastLocation: Location?
    /// One for the machine: where it stays does not depend on who asks.
    private var visitDetector: VisitDetector?
    let writer: MonitoringWriter

    init(
        _ records: MonitoringRecords, writer: MonitoringWriter, post: EventPost, gate: Gate,
        clock: @escaping () -> Timestamp
    ) {
        self.writer = writer
        self.post = post
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
        if apps.values.contains(where: \.visits.isActive) { visitDetector = VisitDetector(current: visitLog.current) }
        writer.write(.clearVisitsBefore(visitLog.prune(at: clock())))
    }

    /// What counts all that is sent.
    var history: AccessHistory { post.history }

    /// How hard the receivers work for all of it.
    var plan: ReceiverPlan { apps.values.reduce(.off) { $0.merged(with: plan(of: $1)) } }

    /// A Boolean value indicating whether any app gets significant changes of what the reducer makes.
    var wantsReduced: Bool {
        apps.values.contains {
            $0.significantChanges.isActive && isAuthorized($0, .always)
                && gate.accuracy(of: $0.key, wanted: .full) == .reduced
        }
    }

    private func plan(of app: MonitoredApp) -> ReceiverPlan {
        var plan = ReceiverPlan.off
        // For reduced ones the receivers work at the reducer's pace.
        if app.significantChanges.isActive, isAuthorized(app, .always),
            gate.accuracy(of: app.key, wanted: .full) == .full
        {
            plan = .significantChanges
        }
        if app.visits.isActive, isAuthorized(app, .visits) { plan = plan.merged(with: .visits) }
        guard !app.regions.isEmpty, isAuthorized(app, app.needOfRegions) else { return plan }
        let nearest = app.regions.values.map { $0.monitor.interval(from: lastLocation) }.min() ?? 0
        return plan.merged(with: .region(seconds: nearest))
    }

    private func isAuthorized(_ app: MonitoredApp, _ need: Need) -> Bool {
        (try? gate.check(app.key, for: need)) != nil
    }

    /// The app's entry, made where there is none.
    func app(_ key: AppKey) -> MonitoredApp {
        if let app = apps[key] { return app }
        let app = MonitoredApp(key: key)
        apps[key] = app
        return app
    }

    /// Forgets the app's entry when nothing of it is left.
    func tidy(_ app: MonitoredApp) {
        if app.isIdle { apps[app.key] = nil }
    }

    // MARK: What happens

    /// Takes a location: a fix that counts, or what the reducer made of one.
    func observe(_ publication: Publication) {
        for app in apps.values { observeChange(publication, of: app) }
        guard publication.accuracy == .full else { return }
        lastLocation = publication.location
        for app in apps.values { observeRegions(publication.location, of: app) }
        observeVisits(publication.location)
    }

    /// An app, or who sits at the machine, has come or gone.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        for app in apps.values {
            guard let connection = connected[app.key] else { continue }
            for stream in app.streams {
                stream.presence = presences.presence(of: connection, stream.subscriber.client)
            }
        }
    }

    /// The app may have more or less than before.
    func authorizationChanged(_ key: AppKey) {
        guard let app = apps[key] else { return }
        refuse(app.significantChanges.streams, of: app, .always)
        refuse(app.visits.streams, of: app, .visits)
        refuse(app.regionStreams, of: app, .regions)
        // What was kept for it happened in the background.
        if !isAuthorized(app, .always) { post.forget(app.key) }
        let accuracy = gate.accuracy(of: key, wanted: .full)
        guard accuracy != app.accuracy else { return }
        app.accuracy = accuracy
        // Attack: what is remembered of exact locations would decide which reduced ones count, or be told later.
        app.significantChange = SignificantChange()
        app.significantChanges.record?.lastDelivered = nil
        if let record = app.significantChanges.record { writer.write(.put(record)) }
        if accuracy == .reduced { post.forget(app.key) }
    }

    /// Ends streams that the app may not have any more.
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
                publication, to: app.key, needing: .always, presence: app.significantChanges.presence),
            released.verdict(of: { isChange($0, publication.accuracy, of: app) })
        else { return }
        deliverChange(released, at: publication.location, to: app)
    }

    /// Returns whether the device has come to another block or, as far as a reduced app may know, to another cell.
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
        app.significantChanges.record?.lastDelivered = location
        if let record = app.significantChanges.record { writer.write(.put(record)) }
        post.deliver(
            released, on: app.significantChanges.streams, wake: app.significantChanges.record?.wake)
    }

    private func observeRegions(_ location: Location, of app: MonitoredApp) {
        guard !app.regions.isEmpty, isAuthorized(app, app.needOfRegions) else { return }
        for key in app.regions.keys.sorted() {
            guard let change = app.regions[key]?.monitor.observe(location), var region = app.regions[key] else {
                continue
            }
            let identifier = key.text
            region.record.state = region.monitor.state
            app.regions[key] = region
            writer.write(.putRegion(region.record))
            switch change {
            // No crossing: for those who watch now.
            case .determined:
                for stream in app.regionStreams {
                    try? send(region.monitor.state, ofRegion: identifier, on: stream, of: app.key)
                }
            case .crossed(let state) where region.record.region.tells(state):
                let event = RegionEvent(identifier: identifier, state: state, location: location)
                deliver(event, of: region, to: app)
            // One that is not told makes the one before it, which is kept, worthless.
            case .crossed: post.forget(app.key, .region, subject: identifier)
            }
        }
    }

    private func deliver(_ crossing: RegionEvent, of region: MonitoredRegion, to app: MonitoredApp) {
        guard
            let released = try? gate.release(
                crossing, madeFor: app.key, needing: app.needOfRegions, presence: app.presenceOfRegions)
        else { return }
        post.deliver(released, subject: crossing.identifier, on: app.regionStreams, wake: region.record.wake)
    }

    private func observeVisits(_ location: Location) {
        let visiting = apps.values.filter { $0.visits.isActive && isAuthorized($0, .visits) }
        guard !visiting.isEmpty else {
            visitDetector = nil
            return
        }
        var detector = visitDetector ?? VisitDetector()
        let visits = detector.observe(location)
        visitDetector = detector
        for visit in visits {
            for uid in Set(visiting.map(\.key.uid)) {
                let record = VisitRecord(uid: uid, visit: visit)
                visitLog.record(record)
                writer.write(.putVisit(record))
            }
            for app in visiting {
                guard
                    let released = try? gate.release(
                        visit, madeFor: app.key, needing: .visits, presence: app.visits.presence)
                else { continue }
                post.deliver(released, on: app.visits.streams, wake: app.visits.record?.wake)
            }
        }
        if !visits.isEmpty { writer.write(.clearVisitsBefore(visitLog.prune(at: location.timestamp))) }
    }

    /// The visit that lasts, as far as it is known.
    var currentVisit: Visit? { visitDetector?.current }

    /// Forgets the visits of a user's apps. Succeeds once that is on the disk.
    package func clearVisits(of uid: UInt32) -> EventLoopFuture<Void> {
        visitLog.clear(uid)
        return writer.writing(.clearVisits(uid: uid))
    }
}
