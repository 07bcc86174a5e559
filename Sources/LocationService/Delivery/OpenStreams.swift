internal import LocationModel

/// The streams and calls of apps that are open, and what follows from their opening and closing. Confined to the event
/// loop.
final class OpenStreams {
    /// Called when a stream was opened or closed, paused or resumed.
    var onChange: (() -> Void)?
    /// The number of updates that a newer one replaced, on streams that are closed.
    private(set) var replaced = 0

    private let planner: DemandPlanner
    private let record: Record
    private let gate: Gate

    init(planner: DemandPlanner, record: Record, gate: Gate) {
        self.planner = planner
        self.record = record
        self.gate = gate
    }

    func open(_ session: Session, of app: ConnectedApp) {
        app.add(session)
        changed(of: app)
    }

    func close(_ session: Session, of app: ConnectedApp) {
        app.remove(session)
        replaced += session.replaced
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

    func open(_ oneShot: OneShot, of app: ConnectedApp) {
        app.add(oneShot)
        planner.update()
    }

    func close(_ oneShot: OneShot, of app: ConnectedApp) {
        app.remove(oneShot)
        planner.update()
    }

    /// The streams of the app changed, or its authorization.
    func changed(of app: ConnectedApp) {
        record.streamsChanged(of: app, through: gate)
        changed()
    }

    /// Something that asks for locations changed.
    func changed() {
        planner.update()
        onChange?()
    }
}
