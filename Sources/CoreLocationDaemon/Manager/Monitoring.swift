internal import LocationClient
internal import NIOCore

/// A manager's monitoring of significant changes or of visits. If the app is authorized always, it can be started for
/// them. Confined to the event loop.
final class Monitoring<Update: Sendable>: Sendable {
    /// The time that the stream which ends the monitoring stays open, so that the daemon handles it.
    private static var farewell: TimeAmount { .seconds(1) }

    private struct State {
        var keeper: ManagedStream<Update>?
        var wakes: Observers<WakeEvents.Kind>.Identifier?
        var validity: ManagerDelivery.Validity?
    }

    private let app: AppSession
    private let stream: @Sendable (_ wake: String?) -> LocationStream<Update>
    private let takeWakes: @Sendable () -> [Update]
    private let tell: @Sendable (ManagedStream<Update>.Notice, ManagerDelivery.Validity) -> Void
    private let state: NIOLoopBoundBox<State>

    init(
        _ app: AppSession, stream: @escaping @Sendable (_ wake: String?) -> LocationStream<Update>,
        takeWakes: @escaping @Sendable () -> [Update],
        tell: @escaping @Sendable (ManagedStream<Update>.Notice, ManagerDelivery.Validity) -> Void
    ) {
        self.app = app
        self.stream = stream
        self.takeWakes = takeWakes
        self.tell = tell
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    func start(_ validity: ManagerDelivery.Validity) {
        guard state.value.validity == nil else { return }
        state.value.validity = validity
        state.value.wakes = app.wakes.observe { [self] _ in tellWakes() }
        tellWakes()
        let keeper = ManagedStream<Update>(StreamPolicy(), app.authorization, on: app.loop) { [tell] in
            tell($0, validity)
        }
        state.value.keeper = keeper
        keeper.start { [app, stream] in stream(app.wakes.path) }
    }

    /// Stops the monitoring.
    ///
    /// - Parameter forgets: A Boolean value indicating whether the app is no longer to be started for it.
    func stop(forgets: Bool) {
        guard state.value.validity != nil else { return }
        state.value.keeper?.stop()
        if let wakes = state.value.wakes { app.wakes.remove(wakes) }
        state.value = State()
        if forgets, app.wakes.path != nil { forget() }
    }

    /// Ends the monitoring in the daemon. Opening a stream without a wake socket ends monitoring that began with one.
    private func forget() {
        let ending = stream(nil).subscribe { _ in }
        app.loop.scheduleTask(in: Self.farewell) { ending.cancel() }
    }

    private func tellWakes() {
        guard let validity = state.value.validity else { return }
        for update in takeWakes() { tell(.element(update), validity) }
    }
}
