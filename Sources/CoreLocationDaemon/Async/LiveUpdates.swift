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
    private let run: LiveUpdatesRun
    private var isStarted = false

    init(_ app: AppSession, _ configuration: CLLocationUpdate.LiveConfiguration) {
        run = LiveUpdatesRun(app, configuration)
    }

    deinit {
        run.end()
    }

    func next(isolation: isolated (any Actor)?) async throws -> CLLocationUpdate? {
        if !isStarted {
            isStarted = true
            run.begin()
        }
        return try await run.buffer.next(isolation: isolation)
    }
}

private final class LiveUpdatesRun: Sendable {
    private struct State {
        var machine = LiveUpdatesMachine()
        var hasAsked = false
        var observation: Observers<AuthorizationState>.Identifier?
        var activity: Observers<Bool>.Identifier?
        var keeper: ManagedStream<LocationUpdate>?
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
            let keeper = ManagedStream<LocationUpdate>(StreamPolicy(), app.authorization, on: app.loop) { [self] in
                switch $0 {
                case .element(let update):
                    if case .location(let location) = update {
                        app.locations.received(CLLocation(location), for: .best)
                    }
                    tell(state.value.machine.received(update))
                // The change of authorization reports the denial.
                case .failed(.denied): break
                case .failed: tell(state.value.machine.unavailable())
                }
            }
            state.value.keeper = keeper
            state.value.observation = app.authorization.observe { [self] in heard($0) }
            state.value.activity = app.backgroundActivity.observe { _ in keeper.reopen() }
            keeper.start { [app, configuration] in
                app.client.updates(
                    LocationClient.Options(configuration, isBackgroundActive: app.backgroundActivity.isActive))
            }
        }
    }

    func end() {
        app.onLoop { [self] in
            if let observation = state.value.observation { app.authorization.remove(observation) }
            if let activity = state.value.activity { app.backgroundActivity.remove(activity) }
            state.value.keeper?.stop()
            state.value = State()
            buffer.finish()
        }
    }

    private func heard(_ authorization: AuthorizationState) {
        if authorization.impliesRequest, !state.value.hasAsked {
            state.value.hasAsked = true
            app.authorization.ask(.whenInUse)
        }
        tell(state.value.machine.heard(authorization, isAsking: app.authorization.isAsking))
    }

    private func tell(_ update: CLLocationUpdate?) {
        if let update { buffer.tell(update) }
    }
}

extension AuthorizationState {
    /// A Boolean value indicating whether opening a stream or a monitor's events also requests authorization.
    var impliesRequest: Bool {
        isUndecided && !UsageDescriptions.requiresExplicitSession
    }
}

extension LocationClient.Options {
    /// Creates the options that are sent to the daemon.
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
