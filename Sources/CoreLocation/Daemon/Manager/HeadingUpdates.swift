internal import LocationClient
internal import NIOCore

/// A manager's heading updates. Confined to the event loop.
final class HeadingUpdates: Sendable {
    private struct State {
        var filter: CLLocationDegrees = 1
        var orientation = CLDeviceOrientation.portrait
        /// The filter as the daemon accepts it, 0...360. `kCLHeadingFilterNone` is negative.
        var degrees: Double { filter > 0 ? min(filter, 360) : 0 }
        var keeper: ManagedStream<MonitoringUpdate<Heading>>?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let newest: Newest
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ delivery: ManagerDelivery, _ newest: Newest) {
        self.app = app
        self.delivery = delivery
        self.newest = newest
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    func start(_ validity: ManagerDelivery.Validity) {
        guard state.value.keeper == nil else { return }
        let policy = StreamPolicy(failure: .headingFailure)
        let keeper = ManagedStream<MonitoringUpdate<Heading>>(policy, app.authorization, on: app.loop) {
            [self] notice in
            switch notice {
            case .element(.event(let heading)): take(heading, validity)
            case .element: break
            case .failed(let code):
                if code == .headingFailure { app.headings.found(false) }
                delivery.fail(validity, code)
            }
        }
        state.value.keeper = keeper
        keeper.start { [self] in app.client.headings(filter: state.value.degrees) }
    }

    func stop() {
        state.value.keeper?.stop()
        state.value.keeper = nil
    }

    func change(_ options: LocationManagerOptions) {
        state.value.orientation = options.headingOrientation
        guard options.headingFilter != state.value.filter else { return }
        state.value.filter = options.headingFilter
        state.value.keeper?.reopen()
    }

    private func take(_ heading: Heading, _ validity: ManagerDelivery.Validity) {
        app.headings.found(true)
        let turned = heading.turned(by: state.value.orientation.degrees)
        newest.heading = turned
        delivery.tell(validity) { manager, delegate in
            delegate.locationManager(manager, didUpdateHeading: CLHeading(turned))
        }
    }
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
    /// Creates a heading from one that the daemon reported. The magnetic heading has no value for "unknown", so the
    /// true heading replaces it then.
    convenience init(_ heading: Heading) {
        var values = Values()
        values.magneticHeading = heading.magneticHeading ?? heading.trueHeading ?? 0
        values.trueHeading = heading.trueHeading ?? -1
        values.headingAccuracy = heading.accuracy ?? -1
        values.timestamp = Date(heading.timestamp)
        self.init(values)
    }
}
