internal import CoreLocation
internal import Dispatch
internal import EventLoopSupport
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The app's regions, shared by all managers and monitors. The daemon keeps them when the app restarts.
final class AppRegions: Sendable {
    /// An event of a region.
    enum Notice: Sendable {
        case started(Region)
        case crossed(Region, RegionState, at: Location?, by: BeaconConstraint?)
        /// The state has become known without a crossing.
        case determined(Region, RegionState)
        /// Monitoring failed for the region, or for all regions if it is `nil`.
        case failed(Region?, CLError.Code)
        /// The daemon's list has arrived.
        case listed
        /// A region was stopped, so that another one may be started.
        case stopped
    }

    /// The timeout of a caller waiting for the first list of regions, and for a later one.
    private static let timeouts = (first: DispatchTimeInterval.seconds(5), later: DispatchTimeInterval.seconds(1))

    private struct Known {
        var list = RegionList()
        var isListed = false
        /// The callers waiting for the daemon's list, or `nil` if it is not requested.
        var readers: [@Sendable () -> Void]?
    }

    private struct State {
        /// The timer for requesting the list again after a failure.
        let listing: Retry
        var crossings = RegionCrossings()
        var requests = RegionStateRequests()
        /// The callers waiting for a state, by request number.
        var waiting: [Int: Waiting] = [:]
        var wakes: CancellationHandle?
        var isAuthorizationObserved = false
        /// Indicates whether the app may monitor regions; `nil` if that is not known.
        var mayMonitor: Bool?
    }

    private struct Waiting {
        let body: @Sendable (RegionState) -> Void
        let timer: Scheduled<Void>
    }

    private let client: LocationClient
    private let wakes: WakeEvents
    private let stateTimeout: TimeAmount
    private let loop: any EventLoop
    private let known = NIOLockedValueBox(Known())
    private let state: NIOLoopBoundBox<State>
    private let observers: Observers<Notice>
    private let stream: NIOLoopBoundBox<ManagedStream<MonitoringUpdate<RegionEvent>>?>
    private let authorization: AppAuthorization

    init(
        _ client: LocationClient, _ authorization: AppAuthorization, _ wakes: WakeEvents, stateTimeout: TimeAmount,
        on loop: any EventLoop
    ) {
        self.client = client
        self.wakes = wakes
        self.stateTimeout = stateTimeout
        self.loop = loop
        self.authorization = authorization
        state = NIOLoopBoundBox.makeBoxSendingValue(
            State(listing: Retry(Backoff(first: 2, greatest: 2), on: loop)), eventLoop: loop)
        observers = Observers(on: loop)
        stream = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: loop)
    }

    /// The regions by identifier. May be read from any thread but the event loop's. The caller waits briefly for the
    /// daemon's list: another process of the app may have changed it, or the user cleared it.
    var current: [String: Region] {
        let timeout = known.withLockedValue(\.isListed) ? Self.timeouts.later : Self.timeouts.first
        let answered = DispatchSemaphore(value: 0)
        // It decides whether the list is complete.
        authorization.begin()
        requestList { answered.signal() }
        _ = answered.wait(timeout: .now() + timeout)
        return known.withLockedValue(\.list.regions)
    }

    /// Adds a region to the list before it is started, and returns the region it replaces. May be called from any
    /// thread.
    func list(_ region: Region) -> Region? { known.withLockedValue { $0.list.starts(region) } }

    /// Removes a region from the list before it is stopped. May be called from any thread.
    func unlist(_ identifier: String) {
        known.withLockedValue { $0.list.stops(identifier) }
    }

    /// Returns whether the daemon is known not to have a region, although the app has started it in this run or in an
    /// earlier one.
    func lacks(_ identifier: String) -> Bool {
        known.withLockedValue { $0.isListed && $0.list.regions[identifier] == nil }
    }

    /// A Boolean value indicating whether the app has the maximum number of regions.
    var isFull: Bool { known.withLockedValue { $0.list.regions.count >= CircularRegion.maximumCount } }

    // MARK: On the event loop

    /// Passes the events of every region to `body`. The daemon's stream is open while there are both an observer and
    /// a region.
    func observe(_ body: @escaping @Sendable (Notice) -> Void) -> CancellationHandle {
        let observation = observers.add(body)
        if state.value.wakes == nil {
            state.value.wakes = wakes.observe { [self] in if $0 == .crossings { reportWakeEvents() } }
        }
        followAuthorization()
        requestList()
        update()
        reportWakeEvents()
        return CancellationHandle { [self] in
            observation.cancel()
            update()
        }
    }

    /// Starts the regions once the app may monitor them: those started before the user's answer, and those that the
    /// daemon has dropped after an earlier answer.
    private func followAuthorization() {
        guard !exchange(&state.value.isAuthorizationObserved, with: true) else { return }
        _ = authorization.observe { [self] in
            guard $0 != .daemonUnreachable else { return }
            let before = exchange(&state.value.mayMonitor, with: $0.mayMonitorRegions)
            guard $0.mayMonitorRegions, before != true else { return }
            for region in known.withLockedValue({ before == false ? $0.list.wanted : $0.list.refused }) {
                _ = list(region)
                send(region, replacing: region)
            }
        }
    }

    /// Starts monitoring `region`, and notifies the observers of its start or failure.
    func start(_ region: Region) {
        start(region, replacing: list(region))
    }

    /// Starts monitoring a listed region.
    ///
    /// - Parameter before: The region that it replaced in the list.
    func start(_ region: Region, replacing before: Region?) {
        if before != region { state.value.crossings.forget(region.identifier) }
        followAuthorization()
        send(region, replacing: before)
    }

    private func send(_ region: Region, replacing before: Region?) {
        request(region).send { [self] result in
            let isRefused = result.failure?.regionErrorCode == .regionMonitoringDenied
            known.withLockedValue { $0.list.answered(region.identifier, isRefused: isRefused) }
            switch result {
            case .success:
                notify(.started(region))
                update()
            case .failure(let error):
                authorization.diagnostics.reportFailure(error)
                let code = error.regionErrorCode
                let isListed = known.withLockedValue {
                    // Monitoring begins with the grant. Otherwise, the region to be replaced is still monitored.
                    if code != .regionMonitoringDenied { $0.list.restore(before, insteadOf: region) }
                    return $0.list.regions[region.identifier] != nil
                }
                notify(.failed(region, code))
                if !isListed || code == .regionMonitoringDenied {
                    answer(state.value.requests.stopped(region.identifier))
                }
            }
        }
    }

    private func request(_ region: Region) -> UnsentCall<Void> {
        switch region {
        case .circle(let region): client.startMonitoringRequest(region, wake: wakes.path)
        case .beacons(let region): client.startMonitoringRequest(region, wake: wakes.path)
        }
    }

    func stop(_ identifier: String) {
        unlist(identifier)
        stopUnlisted(identifier)
    }

    /// Stops monitoring a region removed from the list. The list may have a new region with the same identifier, which
    /// is started next.
    func stopUnlisted(_ identifier: String) {
        state.value.crossings.forget(identifier)
        answer(state.value.requests.stopped(identifier))
        client.stopMonitoringRequest(identifier: identifier).send { [self] _ in
            known.withLockedValue { $0.list.answered(identifier) }
            update()
            notify(.stopped)
        }
    }

    /// Passes the state of the region with `identifier` to `body` once fixes have determined it, or `unknown` after a
    /// timeout. The state is `unknown` at once if there is no such region, or if the app may not know it.
    func waitForState(of identifier: String, _ body: @escaping @Sendable (RegionState) -> Void) {
        // Before sending the request: the state may arrive on the stream before the reply.
        let number = state.value.requests.add(identifier)
        let timer = loop.scheduleTask(in: stateTimeout) { [self] in answer(state.value.requests.timedOut(number)) }
        state.value.waiting[number] = Waiting(body: body, timer: timer)
        client.regionStateRequest(identifier: identifier).send { [self] reply in
            let isMonitored = known.withLockedValue { $0.list.regions[identifier] != nil }
            answer(state.value.requests.replied(number, reply, isMonitored: isMonitored))
        }
    }

    private func answer(_ answers: [RegionStateRequests.Answer]) {
        for answer in answers {
            guard let waiting = state.value.waiting.removeValue(forKey: answer.number) else { continue }
            waiting.timer.cancel()
            waiting.body(answer.state)
        }
    }

    /// Passes the daemon's current state of the region with `identifier` to `body`. The state is `unknown` if there is
    /// no such region.
    func requestState(of identifier: String, _ body: @escaping @Sendable (RegionState) -> Void) {
        client.regionStateRequest(identifier: identifier).send { body((try? $0.get()) ?? .unknown) }
    }

    /// Requests the daemon's list, unless it is requested already, and calls `body` on the event loop when it has
    /// arrived or failed. May be called from any thread.
    private func requestList(_ body: @escaping @Sendable () -> Void = {}) {
        let isFirst = known.withLockedValue {
            let readers = $0.readers
            $0.readers = (readers ?? []) + [body]
            return readers == nil
        }
        guard isFirst else { return }
        client.allRegionsRequest().send { [self] result in
            authorization.diagnostics.reportFailure(result.failure)
            let mayMonitor = authorization.known?.mayMonitorRegions ?? false
            let (readers, isListed) = known.withLockedValue {
                if case .success(let reply) = result {
                    let circles = reply.regions.map { Region.circle($0) }
                    let beacons = (reply.beaconRegions ?? []).map { Region.beacons($0) }
                    $0.list.received(circles + beacons, isComplete: mayMonitor)
                    $0.isListed = true
                }
                return (exchange(&$0.readers, with: nil) ?? [], $0.isListed)
            }
            for reader in readers { reader() }
            update()
            reportWakeEvents()
            guard !isListed else { return notify(.listed) }
            state.value.listing.schedule { [self] in
                if !observers.isEmpty { requestList() }
            }
        }
    }

    private func update() {
        let isWanted = !observers.isEmpty && known.withLockedValue { !$0.list.regions.isEmpty }
        guard isWanted else {
            stream.value?.stop()
            return
        }
        let managedStream = stream.value ?? makeStream()
        stream.value = managedStream
        managedStream.start { [client] in client.regionEvents() }
    }

    private func makeStream() -> ManagedStream<MonitoringUpdate<RegionEvent>> {
        ManagedStream(StreamPolicy(failure: .regionMonitoringFailure), authorization, on: loop) { [self] notice in
            switch notice {
            case .element(.event(let event)):
                handle(event, isCrossing: state.value.crossings.isCrossing(event))
                answer(state.value.requests.reported(event.state, of: event.identifier))
            case .element(.disconnected), .element(.reconnected): break
            // A denial is reported when each region is started: managers without regions do not learn of other
            // managers' denials.
            case .failed(.denied), .failed(.regionMonitoringDenied): break
            case .failed(let code): notify(.failed(nil, code))
            }
        }
    }

    private func reportWakeEvents() {
        guard !observers.isEmpty, known.withLockedValue(\.isListed) else { return }
        for crossing in wakes.consumeCrossings() {
            _ = state.value.crossings.isCrossing(crossing)
            handle(crossing, isCrossing: true)
        }
    }

    private func handle(_ event: RegionEvent, isCrossing: Bool) {
        if report(event, isCrossing: isCrossing) { return }
        // Another process of the app has started the region.
        requestList { [self] in _ = report(event, isCrossing: isCrossing) }
    }

    /// Reports an event to the observers. Returns whether its region is in the list.
    private func report(_ event: RegionEvent, isCrossing: Bool) -> Bool {
        guard let region = known.withLockedValue({ $0.list.regions[event.identifier] }) else { return false }
        notify(
            isCrossing
                ? .crossed(region, event.state, at: event.location, by: event.beacon)
                : .determined(region, event.state))
        return true
    }

    private func notify(_ notice: Notice) {
        observers.notify(notice)
    }
}

extension AuthorizationState {
    /// A Boolean value indicating whether the app may monitor regions, which needs full accuracy.
    fileprivate var mayMonitorRegions: Bool { status.isAuthorized && accuracy == .full }
}

extension LocationError {
    /// The error code for the failure of one region.
    fileprivate var regionErrorCode: CLError.Code {
        switch self {
        case .notAuthorized, .servicesDisabled, .regionMonitoringDenied: .regionMonitoringDenied
        default: .regionMonitoringFailure
        }
    }
}
