internal import CoreLocation
internal import LocationClient
internal import LocationProtocol
internal import NIOCore

/// The live updates for one iterator, from its first call of `next` until it is released.
///
/// As on iOS 18, iterating implies a service session that requires authorization while in use: the user is prompted
/// if the decision is still open. An app whose Info.plist sets NSLocationRequireExplicitServiceSession opens its own
/// sessions.
final class LiveUpdates: EventSource {
    private let producer: LiveUpdatesProducer
    private var isStarted = false

    init(_ app: AppSession, _ configuration: CLLocationUpdate.LiveConfiguration) {
        producer = LiveUpdatesProducer(app, configuration)
    }

    deinit {
        producer.end()
    }

    func next(isolation: isolated (any Actor)?) async throws -> CLLocationUpdate? {
        if !isStarted {
            isStarted = true
            producer.begin()
        }
        return try await producer.buffer.next(isolation: isolation)
    }
}

private final class LiveUpdatesProducer: Sendable {
    private struct State {
        var machine = LiveUpdatesStateMachine()
        var hasRequested = false
        var observation: CancellationHandle?
        var activity: CancellationHandle?
        var stream: ManagedStream<LocationUpdate>?
        /// The open stream, or `nil` before the first one.
        var feed: LocationFeed?
    }

    let buffer = EventBuffer<CLLocationUpdate>()
    private let app: AppSession
    private let configuration: CLLocationUpdate.LiveConfiguration
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ configuration: CLLocationUpdate.LiveConfiguration) {
        self.app = app
        self.configuration = configuration
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    func begin() {
        app.onLoop { [self] in
            let stream = ManagedStream<LocationUpdate>(StreamPolicy(), app.authorization, on: app.loop) { [self] in
                switch $0 {
                case .element(let update):
                    switch update {
                    case .location(let location): state.value.feed?.received(CLLocation(location))
                    case .authorizationChanged(let authorization): app.locations.streamReported(authorization)
                    default: break
                    }
                    report(state.value.machine.received(update))
                // The change of authorization reports the denial.
                case .failed(.denied): break
                case .failed: report(state.value.machine.unavailable())
                }
            }
            state.value.stream = stream
            state.value.observation = app.authorization.observe { [self] in authorizationChanged(to: $0) }
            state.value.activity = app.backgroundActivity.observe { _ in stream.reopen() }
            stream.start(opening: { [self] in open($0) })
        }
    }

    private func open(_ onStep: @escaping @Sendable (StreamStep<LocationUpdate>) -> Void) -> CancellationHandle {
        let options = LocationClient.Options(configuration, isBackgroundActive: app.backgroundActivity.isActive)
        let feed = LocationFeed(app.locations, for: .best)
        state.value.feed = feed
        return feed.opening { app.client.updates(options).subscribe(waitsForDaemon: true, onStep: onStep) }
    }

    func end() {
        app.onLoop { [self] in
            state.value.observation?.cancel()
            state.value.activity?.cancel()
            state.value.stream?.stop()
            state.value = State()
            buffer.finish()
        }
    }

    private func authorizationChanged(to authorization: AuthorizationState) {
        if authorization.impliesRequest, !state.value.hasRequested {
            state.value.hasRequested = true
            app.authorization.request(.whenInUse)
        }
        let isRequesting = app.authorization.isRequesting
        report(state.value.machine.authorizationChanged(to: authorization, isRequesting: isRequesting))
    }

    private func report(_ update: CLLocationUpdate?) {
        if let update { buffer.append(update) }
    }
}

extension AuthorizationState {
    /// A Boolean value indicating whether opening a stream or a monitor's events also requests authorization.
    var impliesRequest: Bool {
        isUndecided && !UsageDescriptions.requiresExplicitSession
    }
}

extension LocationClient.Options {
    /// Creates the options for the daemon.
    init(_ configuration: CLLocationUpdate.LiveConfiguration, isBackgroundActive: Bool) {
        self.init()
        (activityType, desiredAccuracy) =
            switch configuration {
            case .default: (.other, .best)
            case .automotiveNavigation: (.automotiveNavigation, .bestForNavigation)
            case .otherNavigation: (.otherNavigation, .bestForNavigation)
            case .fitness: (.fitness, .best)
            case .airborne: (.airborne, .best)
            }
        pausesAutomatically = true
        allowsBackground = isBackgroundActive
        showsBackgroundIndicator = isBackgroundActive
    }
}
