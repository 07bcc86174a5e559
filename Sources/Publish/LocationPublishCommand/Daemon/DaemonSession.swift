internal import Glibc
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import Publishing

/// The subscriptions to this machine's locationd: always to the authorization, and to locations and regions while the
/// publisher is authorized. Confined to the event loop.
final class DaemonSession: ReportSource {
    private static let remedy = "sudo locationctl grant --always --uid \(getuid()) service:locationd-publish"

    private let client: LocationClient
    private let settings: PublisherSettings
    private let loop: any EventLoop
    private let log: Logger
    private var onEvent: (SourceEvent) -> Void = { _ in }

    private let streams: AuthorizedStreams
    private var status: AuthorizationStatus?
    private var isServiceEnabled = true

    init(
        _ settings: PublisherSettings, client: LocationClient, on loop: any EventLoop, log: Logger
    ) {
        self.settings = settings
        self.client = client
        self.loop = loop
        self.log = log
        streams = AuthorizedStreams(
            purpose: "to publish this machine's location to the configured server",
            activity: "the location is published", remedy: Self.remedy, client: client, on: loop
        ) { level, text in log.log(level: Logger.Level(rawValue: level.rawValue) ?? .error, "\(text)") }
    }

    /// Starts. If the daemon does not run yet, waits for it.
    func start(onEvent: @escaping (SourceEvent) -> Void) {
        self.onEvent = onEvent
        streams.start { [unowned self] event in
            switch event {
            case .authorization(let state): changed(to: state)
            case .unknown:
                status = nil
                onEvent(.undecided)
            case .ended: break
            case .retry: openStreams()
            }
        }
    }

    /// Ends all subscriptions.
    func stop() { streams.stop() }

    /// Observes the decision about the publisher even while location services are off, when every app's status is
    /// denied.
    ///
    /// Attack: the user turns location services off, then revokes the grant, and the collected reports are sent anyway.
    private func changed(to state: AuthorizationState) {
        noteServices(areEnabled: state.servicesEnabled)
        let previous = status
        status = state.servicesEnabled ? state.status : state.decision
        // An answer without the decision must not count as denied, since denied reports are erased.
        guard let decision = status else { return onEvent(.undecided) }
        switch decision {
        case .authorizedAlways, .authorizedWhenInUse:
            if previous != decision { log.notice("authorized: \(decision), \(state.accuracy) accuracy") }
            onEvent(.authorized(state.accuracy, servicesEnabled: state.servicesEnabled))
            if state.servicesEnabled { openStreams() }
        case .denied, .restricted:
            if previous != decision { log.warning("not authorized (\(decision)): nothing is published") }
            onEvent(.denied)
        case .notDetermined: onEvent(.undecided)
        }
    }

    private func noteServices(areEnabled: Bool) {
        if isServiceEnabled, !areEnabled {
            let rest = settings.sendsWhileDisabled ? "; the queue is still sent, as configured" : ""
            log.notice("location services are off: nothing is \(rest.isEmpty ? "published" : "collected")\(rest)")
        }
        isServiceEnabled = areEnabled
    }

    private func openStreams() {
        var options = LocationClient.Options()
        options.minimumInterval = settings.interval
        options.distanceFilter = settings.distance
        options.allowsBackground = true
        streams.open("locations", client.updates(options)) { [unowned self] in receive($0) }
        RegionSetup(settings.regions, client: client, loop: loop, log: log).run()
        guard !settings.regions.isEmpty else { return }
        streams.open("regions", client.regionEvents()) { [unowned self] in receive($0) }
    }

    private func receive(_ update: LocationUpdate) {
        switch update {
        case .location(let location): onEvent(.report(Report(location: location)))
        case .paused(let last?): onEvent(.report(Report(location: last)))
        case .suspended:
            log.warning("the publisher is in the background, and needs the location always: \(Self.remedy)")
        case .receiverLost: log.notice("no receiver has a fix")
        default: break
        }
    }

    private func receive(_ update: MonitoringUpdate<RegionEvent>) {
        guard case .event(let event) = update, let location = event.location, event.state != .unknown,
            settings.regions.contains(where: { $0.identifier.utf8.elementsEqual(event.identifier.utf8) })
        else { return }
        onEvent(
            .report(
                Report(location: location, crossing: .init(region: event.identifier, isEntry: event.state == .inside))))
    }
}
