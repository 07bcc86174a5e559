internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import LocationModel
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A monitor whose conditions are regions of the app.
final class DaemonMonitor: MonitorCore {
    private static let openNames = NIOLockedValueBox<Set<String>>([])

    private struct State {
        var order: [String] = []
        var entries: [String: MonitorEntry] = [:]
        /// The conditions that were not monitored because the app had too many regions.
        var overLimit: Set<String> = []
        var readers: [ObjectIdentifier: EventBuffer<CLMonitor.Event>] = [:]
    }

    private struct Observations {
        var regions: CancellationHandle?
        var authorization: CancellationHandle?
    }

    private let name: String
    private let app: AppSession
    private let file: MonitorFile
    private let writing = NIOLock()
    private let state = NIOLockedValueBox(State())
    private let observations: NIOLoopBoundBox<Observations>

    /// Opens a monitor with its conditions from the last time it was open. If it is already open, returns a monitor
    /// that monitors nothing and whose events end at once.
    static func open(_ name: String, _ app: AppSession) -> any MonitorCore {
        guard openNames.withLockedValue({ $0.insert(name).inserted }) else {
            app.diagnostics.report(.monitorIsOpen(name: name))
            return InactiveMonitorCore()
        }
        return DaemonMonitor(name, app)
    }

    private init(_ name: String, _ app: AppSession) {
        self.name = name
        self.app = app
        file = MonitorFile(monitor: name, in: app.stateDirectory)
        observations = NIOLoopBoundBox.makeBoxSendingValue(Observations(), eventLoop: app.loop)
        let entries = file.read()
        state.withLockedValue {
            for entry in entries where $0.entries.updateValue(entry, forKey: entry.event.identifier) == nil {
                $0.order.append(entry.event.identifier)
            }
        }
        app.onLoop { [app, observations, weak self] in
            app.authorization.begin()
            observations.value.regions = app.regions.observe { [weak self] in self?.handle($0) }
            observations.value.authorization = app.authorization.observe { [weak self] in
                if $0.status.isAuthorized { self?.restart() }
            }
        }
    }

    deinit {
        _ = Self.openNames.withLockedValue { $0.remove(name) }
        app.onLoop { [observations] in
            observations.value.regions?.cancel()
            observations.value.authorization?.cancel()
        }
    }

    var identifiers: [String] { state.withLockedValue(\.order) }

    func record(for identifier: String) -> CLMonitor.Record? {
        state.withLockedValue { $0.entries[identifier] }.map {
            CLMonitor.Record(lastEvent: $0.handled, condition: $0.condition)
        }
    }

    func add(_ condition: any CLCondition, identifier: String, assuming assumed: CLMonitor.Event.State) {
        let entry = MonitorEntry(
            condition, CLMonitor.Event(identifier: identifier, state: assumed, date: Date()))
        state.withLockedValue {
            if $0.entries.updateValue(entry, forKey: identifier) == nil { $0.order.append(identifier) }
            $0.overLimit.remove(identifier)
        }
        save()
        guard let region = region(of: entry) else {
            // The condition may replace another one.
            stopRegion(of: identifier)
            return report(identifier, .unmonitored) { $0.conditionUnsupported = true }
        }
        app.onLoop { [app] in app.regions.start(region) }
    }

    func remove(_ identifier: String) {
        state.withLockedValue {
            $0.entries[identifier] = nil
            $0.overLimit.remove(identifier)
            $0.order.removeAll { $0 == identifier }
        }
        save()
        stopRegion(of: identifier)
    }

    private func stopRegion(of identifier: String) {
        let region = MonitorName.region(of: identifier, in: name)
        app.onLoop { [app] in app.regions.stop(region) }
    }

    func events() -> any EventSource<CLMonitor.Event> {
        let buffer = EventBuffer<CLMonitor.Event>()
        state.withLockedValue {
            $0.readers[ObjectIdentifier(buffer)] = buffer
            for identifier in $0.order where $0.entries[identifier]?.isUnread == true {
                $0.entries[identifier]?.isUnread = false
                if let event = $0.entries[identifier]?.event { buffer.append(event) }
            }
        }
        save()
        app.onLoop { [app, weak self] in
            if app.authorization.known?.impliesRequest ?? false { app.authorization.request(.whenInUse) }
            self?.restart()
        }
        return MonitorEvents(self, buffer)
    }

    /// Records that the app has handled an event, unless the condition was added again in the meantime.
    func didHandle(_ event: CLMonitor.Event) {
        state.withLockedValue {
            guard let entry = $0.entries[event.identifier], event.date >= entry.handled.date else { return }
            $0.entries[event.identifier]?.handled = event
        }
        save()
    }

    func closeEvents(_ buffer: EventBuffer<CLMonitor.Event>) {
        state.withLockedValue { $0.readers[ObjectIdentifier(buffer)] = nil }
    }

    // MARK: Events of the regions, on the event loop

    /// Starts the regions of all conditions that are unmonitored or in an unknown state, or whose regions the daemon
    /// has dropped: the app was reset while it was not running.
    private func restart() {
        startRegions { $0.event.state == .unmonitored || $0.event.state == .unknown }
        startDroppedRegions()
    }

    private func startDroppedRegions() {
        startRegions { [name, app] in
            $0.event.state != .unmonitored && app.regions.lacks(MonitorName.region(of: $0.event.identifier, in: name))
        }
    }

    /// Starts the regions of the conditions for which `isDue` returns `true`, in the order they were added.
    private func startRegions(_ isDue: (MonitorEntry) -> Bool) {
        let entries = state.withLockedValue { state in state.order.compactMap { state.entries[$0] } }
        for region in entries.filter(isDue).compactMap(region(of:)) { app.regions.start(region) }
    }

    private func handle(_ notice: AppRegions.Notice) {
        switch notice {
        case .started(let region):
            guard let identifier = condition(of: region) else { return }
            _ = state.withLockedValue { $0.overLimit.remove(identifier) }
            app.regions.requestState(of: region.identifier) { [weak self] in self?.report(identifier, $0) }
        case .crossed(let region, let side, at: let location, by: let beacon):
            if let identifier = condition(of: region) {
                report(identifier, side, at: location.map { Date($0.timestamp) } ?? Date(), by: beacon)
            }
        case .determined(let region, let side):
            if let identifier = condition(of: region) { report(identifier, side) }
        case .failed(let region?, let code):
            guard let identifier = condition(of: region) else { return }
            fail(identifier, code)
        case .failed(nil, _): break
        case .listed:
            if app.authorization.known?.status.isAuthorized ?? false { startDroppedRegions() }
        case .stopped:
            // Conditions that are still over the limit fail again, without another event. They wait until they have
            // started: another place may become free while the daemon refuses one of them.
            let waiting = state.withLockedValue(\.overLimit)
            startRegions { waiting.contains($0.event.identifier) }
        }
    }

    private func fail(_ identifier: String, _ code: CLError.Code) {
        let authorization = app.authorization.known ?? .daemonUnreachable
        if authorization.impliesRequest { app.authorization.request(.whenInUse) }
        let reasons = UnavailabilityReasons(authorization, isRequesting: app.authorization.isRequesting)
        let isFull = app.regions.isFull
        if code == .regionMonitoringFailure, isFull { _ = state.withLockedValue { $0.overLimit.insert(identifier) } }
        report(identifier, .unmonitored) {
            $0.authorizationDenied = reasons.authorizationDenied
            $0.authorizationDeniedGlobally = reasons.authorizationDeniedGlobally
            $0.authorizationRestricted = reasons.authorizationRestricted
            $0.serviceSessionRequired = reasons.serviceSessionRequired
            $0.authorizationRequestInProgress = reasons.authorizationRequestInProgress
            $0.accuracyLimited = authorization.status.isAuthorized && authorization.accuracy == .reduced
            $0.conditionLimitExceeded = code == .regionMonitoringFailure && isFull
            $0.conditionUnsupported = code == .regionMonitoringFailure && !isFull && authorization != .daemonUnreachable
        }
    }

    private func report(
        _ identifier: String, _ side: RegionState, at date: Date = Date(), by beacon: BeaconConstraint? = nil
    ) {
        switch side {
        case .inside: report(identifier, .satisfied, at: date, refinement: refinement(of: identifier, by: beacon))
        case .outside: report(identifier, .unsatisfied, at: date)
        case .unknown: break
        }
    }

    /// Returns the condition for a beacon that satisfies a condition for several beacons, or `nil` for other conditions.
    private func refinement(of identifier: String, by beacon: BeaconConstraint?) -> (any CLCondition)? {
        let condition = state.withLockedValue { $0.entries[identifier]?.condition }
        guard let beacon, let condition = condition as? CLMonitor.BeaconIdentityCondition else { return nil }
        return CLMonitor.BeaconIdentityCondition(beacon, refining: condition)
    }

    private func condition(of region: Region) -> String? {
        MonitorName.condition(ofRegion: region.identifier, in: name)
    }

    private func region(of entry: MonitorEntry) -> Region? {
        let identifier = MonitorName.region(of: entry.event.identifier, in: name)
        if let beacons = entry.condition as? CLMonitor.BeaconIdentityCondition {
            let constraint = BeaconConstraint(uuid: beacons.uuid, major: beacons.major, minor: beacons.minor)
            return .beacons(BeaconRegion(identifier: identifier, constraint: constraint))
        }
        guard let circle = entry.condition as? CLMonitor.CircularGeographicCondition else { return nil }
        return .circle(
            CircularRegion(
                identifier: identifier, latitude: circle.center.latitude, longitude: circle.center.longitude,
                radius: circle.radius))
    }

    // MARK: Events

    /// Reports that the state of a condition is `new` since `date`, unless it already was. A crossing that occurred
    /// while the app was not running has its own date.
    private func report(
        _ identifier: String, _ new: CLMonitor.Event.State, at date: Date = Date(),
        refinement: (any CLCondition)? = nil, _ explain: (inout CLMonitor.Event) -> Void = { _ in }
    ) {
        var event = CLMonitor.Event(identifier: identifier, state: new, date: date, refinement: refinement)
        explain(&event)
        let readers: [EventBuffer<CLMonitor.Event>] = state.withLockedValue {
            guard let entry = $0.entries[identifier], entry.event.state != new else { return [] }
            $0.entries[identifier]?.event = event
            $0.entries[identifier]?.isUnread = $0.readers.isEmpty
            return Array($0.readers.values)
        }
        if !save() { event.persistenceUnavailable = true }
        for reader in readers { reader.append(event) }
    }

    @discardableResult
    private func save() -> Bool {
        // One writer at a time, so that the newest conditions are written last.
        writing.withLock {
            file.write(state.withLockedValue { state in state.order.compactMap { state.entries[$0] } })
        }
    }
}

/// The events of a monitor for one iterator.
private final class MonitorEvents: EventSource {
    private let monitor: DaemonMonitor
    private let buffer: EventBuffer<CLMonitor.Event>
    /// The event that the app is handling.
    private let current = NIOLockedValueBox<CLMonitor.Event?>(nil)

    init(_ monitor: DaemonMonitor, _ buffer: EventBuffer<CLMonitor.Event>) {
        self.monitor = monitor
        self.buffer = buffer
    }

    deinit {
        finishCurrent()
        monitor.closeEvents(buffer)
    }

    func next(isolation: isolated (any Actor)?) async throws -> CLMonitor.Event? {
        finishCurrent()
        let event = try await buffer.next(isolation: isolation)
        current.withLockedValue { $0 = event }
        return event
    }

    private func finishCurrent() {
        let event = current.withLockedValue { current in
            defer { current = nil }
            return current
        }
        if let event { monitor.didHandle(event) }
    }
}
