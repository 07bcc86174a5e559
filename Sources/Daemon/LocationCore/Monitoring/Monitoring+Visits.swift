internal import AuthorizationPolicy
internal import LocationModel
internal import Positioning

/// Visits.
///
/// Apps that may have the location always get the visits of the machine's detector, which are kept in the log of their
/// user. An app that may have it only while it is in use has a detector of its own, which begins when the app comes
/// into use, and ends when the app goes to the background. Its visits are kept nowhere.
///
/// A change between the two breaks the pairs of arrival and departure. A visit of the app's own detector ends when the
/// app gets visits in the background too; the app may then get the departure of the machine's current visit without its
/// arrival. A visit of the machine's detector is not ended for an app that then gets visits only in use.
///
/// Attack: an app that may have the location only while it is in use shows itself for a moment, and gets from the
/// machine's detector when the device arrived, or how long it was at the place before.
extension Monitoring {
    /// Handles that the surroundings of the device were the same for that time.
    ///
    /// Attack: an app that may have the location only while it is in use shows itself for a moment, and gets the time
    /// since when the surroundings are the same. So only the machine's visits begin with it.
    func extendStay(_ stay: Stillness.Stay) {
        guard !isIdle else { return }
        observeVisits(at: stay.until) {
            $0.extendStay(from: stay.from, until: stay.until, certainUntil: stay.certainUntil, beginsThen: $1)
        }
    }

    /// Has each detector observe what has happened at a time, with `true` for the machine's.
    func observeVisits(at time: Timestamp, _ observe: (inout VisitDetector, Bool) -> [Visit]) {
        for app in apps.values {
            if isVisitingInUse(app) { observeVisits(of: app, in: \.visitDetectorInUse, observe) }
            if isVisitingProvisionally(app) { observeVisits(of: app, in: \.visitDetectorOfProvisional, observe) }
        }
        let visiting = visitingApps
        guard !visiting.isEmpty else { return endUnobservedVisits() }
        var detector = visitDetector ?? VisitDetector()
        let visits = observe(&detector, true)
        visitDetector = detector
        for visit in visits {
            // Attack: during a visit, the user deletes it, or ends the last `always`. Its end would bring it back.
            let open = visit.departure == nil ? nil : visitLog.users(withOpenVisitSince: visit.arrival)
            for uid in Set(visiting.map(\.key.uid)) where open?.contains(uid) ?? true {
                let record = VisitRecord(uid: uid, visit: visit)
                visitLog.record(record)
                writer.write(.putVisit(record))
            }
            for app in visiting where !isVisitingInUse(app) { deliver(visit, to: app) }
        }
        // A recording's locations are older than today. A receiver with a wrong date may give future ones.
        let now = min(time, retention.now)
        if !visits.isEmpty { writer.write(.clearVisitsBefore(visitLog.prune(at: now))) }
    }

    /// The apps that monitor visits and are authorized for `always`, not only provisionally.
    var visitingApps: [MonitoredApp] {
        apps.values.filter { $0.visits.isActive && isRecorded($0, .visitsInBackground) }
    }

    /// Ends the current visit in the log of each user whose apps no longer monitor visits, at the time when the device
    /// was last seen at the place. Forgets it if no app monitors visits: later, the device may be elsewhere.
    func endUnobservedVisits() {
        guard let detector = visitDetector else { return }
        let users = Set(visitingApps.map(\.key.uid))
        if var visit = detector.current, let lastSeen = detector.lastSeen {
            visit.departure = max(visit.arrival, lastSeen)
            for uid in visitLog.users(withOpenVisitSince: visit.arrival) where !users.contains(uid) {
                let record = VisitRecord(uid: uid, visit: visit)
                visitLog.record(record)
                writer.write(.putVisit(record))
            }
        }
        if users.isEmpty { visitDetector = nil }
    }

    /// Returns the current visit as the app may have it, or `nil` if none is known.
    func currentVisit(of app: MonitoredApp) -> Visit? {
        if isVisitingInUse(app) { return app.visitDetectorInUse?.current }
        return isRecorded(app, .visitsInBackground) ? visitDetector?.current : nil
    }

    // MARK: Apps that may have visits only in use

    /// Returns whether the app is in use and monitors visits, and would get none in the background.
    private func isVisitingInUse(_ app: MonitoredApp) -> Bool {
        app.visits.presence == .inUse && isAuthorized(app, .visits)
            && !gate.isDelivering(to: app.key, presence: .background)
    }

    /// Delivers the visits of an app's own detector. With a provisional `always`, the gate lets none of them pass, and
    /// has the user prompted.
    private func observeVisits(
        of app: MonitoredApp, in path: ReferenceWritableKeyPath<MonitoredApp, VisitDetector?>,
        _ observe: (inout VisitDetector, Bool) -> [Visit]
    ) {
        var detector = app[keyPath: path] ?? VisitDetector()
        let visits = observe(&detector, false)
        app[keyPath: path] = detector
        for visit in visits { deliver(visit, to: app) }
    }

    /// Returns whether the app monitors visits in the background with a provisional `always`.
    private func isVisitingProvisionally(_ app: MonitoredApp) -> Bool {
        app.visits.isActive && app.visits.presence == .background && isAuthorized(app, .visitsInBackground)
            && !isRecorded(app, .visitsInBackground)
    }

    /// Forgets the app's stay at a place, once the app is no longer in use, or gets its visits in the background too.
    /// In the latter case, the streams that were notified of the arrival are notified of a departure.
    func forgetStayInUse(of app: MonitoredApp) {
        if !isVisitingProvisionally(app) { app.visitDetectorOfProvisional = nil }
        guard let detector = app.visitDetectorInUse, !isVisitingInUse(app) else { return }
        app.visitDetectorInUse = nil
        guard gate.isDelivering(to: app.key, presence: .background), var visit = detector.current,
            let lastSeen = detector.lastSeen
        else { return }
        visit.departure = max(visit.arrival, lastSeen)
        for stream in app.visits.streams where stream.presence == .inUse {
            guard
                let released = try? gate.release(visit, madeFor: app.key, needing: .visits, presence: stream.presence)
            else { continue }
            stream.send(history.count(released))
        }
    }
}
