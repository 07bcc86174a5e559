internal import LocationModel

/// The streams and requests of apps that are open, and what follows from their opening and closing. Confined to the event
/// loop.
package final class OpenStreams {
    /// Called when a stream was opened or closed, paused or resumed.
    package var onChange: (() -> Void)?
    /// The number of updates that a newer one replaced, on streams that are closed.
    package private(set) var replaced = 0

    private let planner: DemandPlanner
    private let history: AccessHistory
    private let gate: Gate

    init(planner: DemandPlanner, history: AccessHistory, gate: Gate) {
        self.planner = planner
        self.history = history
        self.gate = gate
    }

    func open(_ subscription: Subscription, of app: ConnectedApp) {
        app.add(subscription)
        changed(of: app)
    }

    func close(_ subscription: Subscription, of app: ConnectedApp) {
        app.remove(subscription)
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

    /// The streams of the app changed, or its authorization.
    func changed(of app: ConnectedApp) {
        history.streamsChanged(of: app, through: gate)
        changed()
    }

    /// Something that asks for locations changed.
    func changed() {
        planner.update()
        onChange?()
    }
}
