internal import LocationClient
internal import NIOCore

/// A manager's monitoring of significant changes or of visits. If the app is authorized always, events can start the
/// app. Confined to the event loop.
final class ManagerMonitoring<Update: Sendable>: Sendable {
    /// The time to keep open the stream that ends the monitoring, so that the daemon handles it.
    private static var gracePeriod: TimeAmount { .seconds(1) }

    private struct State {
        var stream: ManagedStream<Update>?
        var wakes: CancellationHandle?
        var validity: ManagerDelivery.Validity?
    }

    private let app: AppSession
    private let reports: ManagerReports
    private let makeStream: @Sendable (_ wake: String?) -> LocationStream<Update>
    private let consumeWakeEvents: @Sendable () -> [Update]
    private let handler: @Sendable (ManagedStream<Update>.Notice, ManagerDelivery.Validity) -> Void
    private let state: NIOLoopBoundBox<State>

    init(
        _ app: AppSession, _ reports: ManagerReports,
        makeStream: @escaping @Sendable (_ wake: String?) -> LocationStream<Update>,
        consumeWakeEvents: @escaping @Sendable () -> [Update],
        handler: @escaping @Sendable (ManagedStream<Update>.Notice, ManagerDelivery.Validity) -> Void
    ) {
        self.app = app
        self.reports = reports
        self.makeStream = makeStream
        self.consumeWakeEvents = consumeWakeEvents
        self.handler = handler
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    func start(_ validity: ManagerDelivery.Validity) {
        guard state.value.validity == nil else { return }
        state.value.validity = validity
        state.value.wakes = app.wakes.observe { [self] _ in reportWakeEvents() }
        reportWakeEvents()
        let stream = ManagedStream<Update>(
            StreamPolicy(), app.authorization, on: app.loop, reports: reports,
            handler: { [handler] in handler($0, validity) })
        state.value.stream = stream
        stream.start { [app, makeStream] in makeStream(app.wakes.path) }
    }

    /// Stops the monitoring.
    ///
    /// - Parameter forgets: A Boolean value indicating whether events must no longer start the app.
    func stop(forgets: Bool) {
        guard state.value.validity != nil else { return }
        state.value.stream?.stop()
        state.value.wakes?.cancel()
        state.value = State()
        if forgets, app.wakes.path != nil { forget() }
    }

    /// Ends the monitoring in the daemon. Opening a stream without a wake socket ends monitoring that began with one.
    private func forget() {
        let ending = makeStream(nil).subscribe { _ in }
        app.loop.scheduleTask(in: Self.gracePeriod) { ending.cancel() }
    }

    private func reportWakeEvents() {
        guard let validity = state.value.validity else { return }
        for update in consumeWakeEvents() { handler(.element(update), validity) }
    }
}
