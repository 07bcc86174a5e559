internal import CoreLocation
internal import LocationClient
internal import LocationModel
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The app's regions as one manager reports them. Every manager with a delegate reports all of them.
final class RegionReporter: Sendable {
    private struct State {
        var observation: CancellationHandle?
        /// The number of this manager's starts with an unknown outcome, by region identifier.
        var pendingStarts: [String: Int] = [:]
        /// The identifiers of regions started by this manager that wait for the user's grant.
        var awaitingGrant: Set<String> = []
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ delivery: ManagerDelivery) {
        self.app = app
        self.delivery = delivery
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    /// The app's regions, except those of its monitors.
    var current: Set<CLRegion> {
        Set(app.regions.current.values.lazy.filter { !MonitorName.belongsToMonitor($0.identifier) }.map(\.object))
    }

    func start(_ region: CLRegion) {
        guard let started = Region(region) else { return fail(region, .regionMonitoringFailure) }
        // Listed at once, as in Apple's manager.
        let before = app.regions.list(started)
        app.onLoop { [self] in
            state.value.pendingStarts[started.identifier, default: 0] += 1
            app.regions.start(started, replacing: before)
        }
    }

    func stop(_ region: CLRegion) {
        let identifier = region.identifier
        app.regions.unlist(identifier)
        app.onLoop { [app, state] in
            state.value.awaitingGrant.remove(identifier)
            app.regions.stopUnlisted(identifier)
        }
    }

    func requestState(of region: CLRegion) {
        let requested = Region(region)
        let identifier = region.identifier
        app.onLoop { [app, self] in
            app.regions.waitForState(of: identifier) { [self] state in
                if let requested { report(state, of: requested) }
            }
        }
    }

    /// Called on the event loop.
    func delegateChanged(hasDelegate: Bool) {
        if hasDelegate, state.value.observation == nil {
            state.value.observation = app.regions.observe { [self] in handle($0) }
        } else if !hasDelegate {
            end()
        }
    }

    /// Called on the event loop.
    func end() {
        state.value.observation?.cancel()
        state.value.observation = nil
    }

    private func handle(_ notice: AppRegions.Notice) {
        switch notice {
        case .started(let region):
            let hasWaited = state.value.awaitingGrant.remove(region.identifier) != nil
            guard removePendingStart(of: region.identifier) || hasWaited else { return }
            delivery.callDelegate { $1.locationManager($0, didStartMonitoringFor: region.object) }
        case .crossed(let region, let side, at: _, by: _):
            guard !MonitorName.belongsToMonitor(region.identifier) else { return }
            delivery.callDelegate { manager, delegate in
                let region = region.object
                switch side {
                case .inside: delegate.locationManager(manager, didEnterRegion: region)
                case .outside: delegate.locationManager(manager, didExitRegion: region)
                case .unknown: break
                }
            }
            report(side, of: region)
        case .determined: break
        case .failed(let region?, let code):
            guard removePendingStart(of: region.identifier) else { return }
            if code == .regionMonitoringDenied { state.value.awaitingGrant.insert(region.identifier) }
            fail(region.object, code)
        case .failed(nil, let code): fail(nil, code)
        case .listed, .stopped: break
        }
    }

    /// Removes a pending start of the region. Returns whether there was one.
    private func removePendingStart(of identifier: String) -> Bool {
        guard let count = state.value.pendingStarts[identifier] else { return false }
        state.value.pendingStarts[identifier] = count > 1 ? count - 1 : nil
        return true
    }

    private func report(_ state: RegionState, of region: Region) {
        delivery.callDelegate {
            $1.locationManager($0, didDetermineState: CLRegionState(state), for: region.object)
        }
    }

    private func fail(_ region: CLRegion?, _ code: CLError.Code) {
        // Safe, because nothing else uses it: it was created for this call, or passed in by the app.
        nonisolated(unsafe) let region = region
        delivery.callDelegate {
            $1.locationManager($0, monitoringDidFailFor: region, withError: CLError(code))
        }
    }
}

extension CircularRegion {
    /// Creates the daemon's form of a region, or returns `nil` if `region` is not a circle.
    init?(_ region: CLRegion) {
        guard let circle = region.circle, !(region is CLBeaconRegion) else { return nil }
        self.init(
            identifier: region.identifier, latitude: circle.center.latitude, longitude: circle.center.longitude,
            radius: circle.radius)
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
    }
}

extension CLCircularRegion {
    convenience init(_ region: CircularRegion) {
        self.init(
            center: CLLocationCoordinate2D(latitude: region.latitude, longitude: region.longitude),
            radius: region.radius, identifier: region.identifier)
        notifyOnEntry = region.notifyOnEntry ?? true
        notifyOnExit = region.notifyOnExit ?? true
    }
}

extension CLRegionState {
    init(_ state: RegionState) {
        self =
            switch state {
            case .inside: .inside
            case .outside: .outside
            case .unknown: .unknown
            }
    }
}
