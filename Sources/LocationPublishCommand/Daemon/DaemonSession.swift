internal import EventLoopSupport
internal import Glibc
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import Publishing

/// The subscriptions to this machine's locationd: to the authorization always, to locations and regions while the
/// publisher is authorized. Confined to the event loop.
final class DaemonSession: ReportSource {
    private static let purpose = "to publish this machine's location to the configured server"

    private let client: LocationClient
    private let settings: PublisherSettings
    private let loop: any EventLoop
    private let log: Logger
    private var onEvent: (SourceEvent) -> Void = { _ in }

    private let authorization: AuthorizationWatch
    private var locations: CancellationHandle?
    private var regions: CancellationHandle?
    private let retryTimer: LoopTimer
    private var status: AuthorizationStatus?
    private var isServiceEnabled = true

    init(
        _ settings: PublisherSettings, client: LocationClient, on loop: any EventLoop, log: Logger
    ) {
        self.settings = settings
        self.client = client
        self.loop = loop
        self.log = log
        authorization = AuthorizationWatch(.always, reason: Self.purpose, client: client, on: loop)
        retryTimer = LoopTimer(on: loop)
    }

    /// Starts. If the daemon does not run yet, waits for it.
    func start(onEvent: @escaping (SourceEvent) -> Void) {
        self.onEvent = onEvent
        authorization.start { [unowned self] event in receive(event) }
    }

    /// Ends all subscriptions.
    func stop() {
        authorization.stop()
        closeStreams()
        retryTimer.cancel()
    }

    private func receive(_ event: AuthorizationWatch.Event) {
        switch event {
        case .state(let state): changed(to: state)
        case .unknown(let reason):
            log.error("cannot read the authorization from locationd: \(reason); trying again in 10 s")
            status = nil
            closeStreams()
            onEvent(.undecided)
        case .requested:
            log.notice("nobody has decided yet whether the location is published; for the installed service: \(remedy)")
        case .notRequested(let error): log.warning("no prompt: \(error)")
        }
    }

    /// Observes the decision about the publisher, whether or not location services are on: while they are off,
    /// everybody's status is denied.
    ///
    /// Attack: the user turns location services off, then revokes the grant, and the collected reports are sent.
    private func changed(to state: AuthorizationState) {
        noteServices(areEnabled: state.servicesEnabled)
        if !state.servicesEnabled { closeStreams() }
        let previous = status
        let decision = state.decision ?? state.status
        status = decision
        switch decision {
        case .authorizedAlways, .authorizedWhenInUse:
            if previous != decision { log.notice("authorized: \(decision), \(state.accuracy) accuracy") }
            onEvent(.authorized(state.accuracy, servicesEnabled: state.servicesEnabled))
            if state.servicesEnabled { openStreams() }
        case .denied, .restricted:
            if previous != decision { log.warning("not authorized (\(decision)): nothing is published") }
            closeStreams()
            onEvent(.denied)
        case .notDetermined:
            closeStreams()
            onEvent(.undecided)
        }
    }

    private func noteServices(areEnabled: Bool) {
        if isServiceEnabled, !areEnabled {
            let rest = settings.sendsWhileDisabled ? "; what waits is still sent, as the configuration says" : ""
            log.notice("location services are off: nothing is \(rest.isEmpty ? "published" : "collected")\(rest)")
        }
        isServiceEnabled = areEnabled
    }

    private var remedy: String {
        "sudo locationctl grant --always --uid \(getuid()) service:locationd-publish"
    }

    private func openStreams() {
        if locations == nil { openLocations() }
        RegionSetup(settings.regions, client: client, loop: loop, log: log).run()
        if regions == nil, !settings.regions.isEmpty { openRegions() }
    }

    private func closeStreams() {
        locations?.cancel()
        locations = nil
        regions?.cancel()
        regions = nil
    }

    private func openLocations() {
        var options = LocationClient.Options()
        options.minimumInterval = settings.interval
        options.distanceFilter = settings.distance
        options.allowsBackground = true
        let session = NIOLoopBound(self, eventLoop: loop)
        locations = client.updates(options).subscribe(waitsForDaemon: true) { step in
            session.value.receive(step)
        }
    }

    private func receive(_ step: StreamStep<LocationUpdate>) {
        switch step {
        case .element(.location(let location)): onEvent(.report(Report(location: location)))
        case .element(.paused(let last?)): onEvent(.report(Report(location: last)))
        case .element(.suspended):
            log.warning("the publisher is in the background, and needs the location always: \(remedy)")
        case .element(.receiverLost): log.notice("no receiver has a fix")
        case .element: break
        case .ended(let error):
            locations = nil
            ended("locations", error)
        }
    }

    private func openRegions() {
        let session = NIOLoopBound(self, eventLoop: loop)
        regions = client.regionEvents().subscribe(waitsForDaemon: true) { step in session.value.receive(step) }
    }

    private func receive(_ step: StreamStep<MonitoringUpdate<RegionEvent>>) {
        switch step {
        case .element(.event(let event)):
            guard let location = event.location, event.state != .unknown,
                settings.regions.contains(where: { $0.identifier.utf8.elementsEqual(event.identifier.utf8) })
            else { return }
            onEvent(
                .report(
                    Report(
                        location: location,
                        crossing: .init(region: event.identifier, isEntry: event.state == .inside))))
        case .element: break
        case .ended(let error):
            regions = nil
            ended("regions", error)
        }
    }

    /// Reopens a stream that ended although the publisher is authorized. If it is not, a change of the authorization
    /// opens the stream.
    private func ended(_ what: String, _ error: LocationError?) {
        switch error {
        case .notAuthorized(.authorizedWhenInUse):
            log.warning(
                "a service needs the location always: sudo locationctl grant --always service:locationd-publish")
        case .notAuthorized, .servicesDisabled: return
        case nil: break
        case let error?: log.warning("the subscription to \(what) ended: \(error)")
        }
        retryTimer.set(in: AuthorizationWatch.retryDelay) { [weak self] in
            guard let self, self.status?.isAuthorized == true, self.isServiceEnabled else { return }
            self.openStreams()
        }
    }
}
