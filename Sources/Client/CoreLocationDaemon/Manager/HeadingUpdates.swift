internal import CoreLocation
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A manager's heading updates. Confined to the event loop, except for `newest`.
final class HeadingUpdates: Sendable {
    private struct State {
        var filter: CLLocationDegrees = 1
        var orientation = CLDeviceOrientation.portrait
        /// The filter in the daemon's range, 0...360. `kCLHeadingFilterNone` is negative.
        var degrees: Double { filter > 0 ? min(filter, 360) : 0 }
        var stream: ManagedStream<MonitoringUpdate<Heading>>?
        /// Forgets the newest heading when the app may no longer have it.
        var observation: CancellationHandle?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let reports: ManagerReports
    private let last = NIOLockedValueBox<Heading?>(nil)
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ delivery: ManagerDelivery, _ reports: ManagerReports) {
        self.app = app
        self.delivery = delivery
        self.reports = reports
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    deinit {
        app.onLoop { [state] in state.value.observation?.cancel() }
    }

    /// The newest heading, or `nil` before the first, and while the app may not have it. A heading from before a denial
    /// is not there again after the next grant.
    var newest: Heading? { app.authorization.known.permitsHeading ? last.withLockedValue(\.self) : nil }

    func start(_ validity: ManagerDelivery.Validity) {
        guard state.value.stream == nil else { return }
        if state.value.observation == nil {
            state.value.observation = app.authorization.observe { [last] authorization in
                if !authorization.permitsHeading { last.withLockedValue { $0 = nil } }
            }
        }
        let stream = ManagedStream<MonitoringUpdate<Heading>>(
            StreamPolicy(failure: .headingFailure), app.authorization, on: app.loop, reports: reports,
            handler: { [self] notice in
                switch notice {
                case .element(.event(let heading)): handle(heading, validity)
                case .element: break
                case .failed(let code): delivery.fail(validity, code)
                }
            })
        state.value.stream = stream
        stream.start { [self] in app.client.headings(filter: state.value.degrees) }
    }

    func stop() {
        state.value.stream?.stop()
        state.value.stream = nil
    }

    func change(_ options: LocationManagerOptions) {
        state.value.orientation = options.headingOrientation
        guard options.headingFilter != state.value.filter else { return }
        state.value.filter = options.headingFilter
        state.value.stream?.reopen()
    }

    private func handle(_ heading: Heading, _ validity: ManagerDelivery.Validity) {
        // Dropped if it was sent before the authorization ended.
        guard app.authorization.known.permitsHeading else { return }
        let turned = heading.turned(by: state.value.orientation.degrees)
        last.withLockedValue { $0 = turned }
        delivery.callDelegate(validity) { manager, delegate in
            delegate.locationManager(manager, didUpdateHeading: CLHeading(turned))
        }
    }
}

extension AuthorizationState? {
    fileprivate var permitsHeading: Bool { self?.permitsHeading ?? false }
}

extension AuthorizationState {
    fileprivate var permitsHeading: Bool { status.isAuthorized && accuracy == .full }
}

extension CLDeviceOrientation {
    /// The angle in degrees, clockwise, from the device's top to the side that is up.
    fileprivate var degrees: Double {
        switch self {
        case .landscapeLeft: 90
        case .portraitUpsideDown: 180
        case .landscapeRight: 270
        case .unknown, .portrait, .faceUp, .faceDown: 0
        }
    }
}

extension Heading {
    fileprivate func turned(by degrees: Double) -> Heading {
        var turned = self
        turned.magneticHeading = magneticHeading.map { ($0 + degrees).truncatingRemainder(dividingBy: 360) }
        turned.trueHeading = trueHeading.map { ($0 + degrees).truncatingRemainder(dividingBy: 360) }
        return turned
    }
}

extension CLHeading {
    /// Creates a heading from the daemon's. The magnetic heading has no value for "unknown", so the true heading
    /// replaces an unknown one.
    convenience init(_ heading: Heading) {
        var values = Values.invalid
        values.magneticHeading = heading.magneticHeading ?? heading.trueHeading ?? 0
        values.trueHeading = heading.trueHeading ?? -1
        values.headingAccuracy = heading.accuracy ?? -1
        values.timestamp = Date(heading.timestamp)
        self.init(values)
    }
}
