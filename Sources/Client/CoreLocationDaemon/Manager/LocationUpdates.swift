internal import CoreLocation
internal import LocationClient
internal import LocationProtocol
internal import NIOCore

/// A manager's location updates. Confined to the event loop.
final class LocationUpdates: Sendable {
    /// The delay before changed options are applied, so that several changes in a row are applied together.
    private static let debounceDelay = TimeAmount.milliseconds(10)

    private struct State {
        var options = LocationManagerOptions()
        /// The open stream, or `nil` before the first one.
        var feed: LocationFeed?
        var validity: ManagerDelivery.Validity?
        var batch: LocationBatch?
        /// The last reported location. A reopened stream may begin with the same one.
        var last: Location?
        var isReopening = false
        var activity: CancellationHandle?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let reports: ManagerReports
    private let state: NIOLoopBoundBox<State>
    private let stream: NIOLoopBoundBox<ManagedStream<LocationUpdate>?>

    init(_ app: AppSession, _ delivery: ManagerDelivery, _ reports: ManagerReports) {
        self.app = app
        self.delivery = delivery
        self.reports = reports
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
        stream = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: app.loop)
    }

    /// A Boolean value indicating whether updates have been started and not stopped.
    var isStarted: Bool { state.value.validity != nil }

    func start(_ validity: ManagerDelivery.Validity) {
        guard !isStarted else { return }
        state.value.validity = validity
        state.value.last = nil
        reports.updatesStarted()
        let stream = ManagedStream<LocationUpdate>(
            StreamPolicy(), app.authorization, on: app.loop, reports: reports, handler: { [self] in handle($0) })
        self.stream.value = stream
        state.value.activity = app.backgroundActivity.observe { [self] _ in reopen() }
        stream.start(opening: { [self] onStep in
            let options = self.options
            let feed = LocationFeed(app.locations, for: options.desiredAccuracy ?? .best)
            state.value.feed = feed
            return feed.opening { app.updates.subscribe(options, onStep) }
        })
    }

    func stop() {
        stream.value?.stop()
        stream.value = nil
        state.value.activity?.cancel()
        state.value.activity = nil
        state.value.validity = nil
        state.value.batch = nil
        state.value.feed = nil
    }

    func change(_ options: LocationManagerOptions) {
        let before = self.options
        state.value.options = options
        if self.options != before { reopen() }
    }

    private var options: LocationClient.Options {
        LocationClient.Options(state.value.options, isBackgroundActive: app.backgroundActivity.isActive)
    }

    private func reopen() {
        guard isStarted, !state.value.isReopening else { return }
        state.value.isReopening = true
        app.loop.scheduleTask(in: Self.debounceDelay) { [self] in
            state.value.isReopening = false
            stream.value?.reopen()
        }
    }

    private func handle(_ notice: ManagedStream<LocationUpdate>.Notice) {
        guard let validity = state.value.validity else { return }
        switch notice {
        case .element(.location(let location)): handle(location, validity)
        case .element(.paused):
            callDelegate(validity) { $1.locationManagerDidPauseLocationUpdates($0) }
        case .element(.resumed):
            callDelegate(validity) { $1.locationManagerDidResumeLocationUpdates($0) }
        case .element(.receiverLost), .element(.disconnected): fail(validity, .locationUnknown)
        case .element(.authorizationChanged(let authorization)):
            app.locations.streamReported(authorization)
            // A reduction also discards exact locations not yet delivered.
            if authorization.accuracy == .reduced { _ = state.value.batch?.close() }
        case .element: break
        case .failed(let code): fail(validity, code)
        }
    }

    private func handle(_ value: Location, _ validity: ManagerDelivery.Validity) {
        guard value != state.value.last, let feed = state.value.feed else { return }
        state.value.last = value
        let location = CLLocation(value)
        let accuracy = feed.accuracy
        feed.received(location)
        guard reports.isNew(update: value) else { return }
        if state.value.batch?.add(location) == true { return }
        let batch = LocationBatch()
        _ = batch.add(location)
        state.value.batch = batch
        delivery.perform { [known = app.locations] manager in
            // The batch must be closed in any case, or later locations would be added to a batch that is never
            // delivered.
            let locations = batch.close()
            // A revocation also discards locations not yet delivered.
            guard validity.isValid, !locations.isEmpty, known.last(for: accuracy) != nil,
                let delegate = manager.delegate
            else { return }
            delegate.locationManager(manager, didUpdateLocations: locations)
        }
    }

    private func callDelegate(
        _ validity: ManagerDelivery.Validity,
        _ event: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        // Locations after this event must be delivered later, and so in a new batch.
        state.value.batch = nil
        delivery.callDelegate(validity, event)
    }

    private func fail(_ validity: ManagerDelivery.Validity, _ code: CLError.Code) {
        callDelegate(validity) { $1.locationManager($0, didFailWithError: CLError(code)) }
    }
}
