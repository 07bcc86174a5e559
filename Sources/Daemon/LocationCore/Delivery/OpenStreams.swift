internal import LocationModel

/// The subscriptions, event streams and requests that apps have open, and the effects of opening and closing them.
/// Confined to the event loop.
package final class OpenStreams {
    /// The number of updates replaced by newer ones, on subscriptions that have closed.
    package private(set) var replaced = 0

    let changes: Changes
    private let planner: DemandPlanner
    private let history: AccessHistory
    private let gate: Gate
    private let reports: ReportDemand

    init(planner: DemandPlanner, reports: ReportDemand, history: AccessHistory, gate: Gate, changes: Changes) {
        self.changes = changes
        self.planner = planner
        self.reports = reports
        self.history = history
        self.gate = gate
    }

    func open(_ subscription: Subscription, of app: ConnectedApp) {
        app.add(subscription)
        reports.open(subscription.reportContents)
        changed(of: app)
    }

    func close(_ subscription: Subscription, of app: ConnectedApp) {
        app.remove(subscription)
        reports.close(subscription.reportContents)
        replaced += subscription.subscriber.replacedCount
        changed(of: app)
    }

    func open(_ stream: AnyEventStream, of app: ConnectedApp) {
        app.add(stream)
        changed(of: app)
    }

    func close(_ stream: AnyEventStream, of app: ConnectedApp) {
        app.remove(stream)
        changed(of: app)
    }

    func open(_ request: LocationRequest, of app: ConnectedApp) {
        app.add(request)
        planner.update()
    }

    func close(_ request: LocationRequest, of app: ConnectedApp) {
        app.remove(request)
        planner.update()
    }

    /// Handles a change of the app's streams, or of its presence.
    func changed(of app: ConnectedApp) {
        history.streamsChanged(of: app, through: gate)
        changed()
    }

    /// Handles a change of any demand for locations.
    func changed() {
        planner.update()
        changes.report(.subscriptions)
    }
}
