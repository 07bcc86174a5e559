internal import EventLoopSupport
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import SentenceWriting

/// Serves this machine's location as NMEA 0183 to the readers of an outlet. Confined to the event loop.
///
/// It is an app like any other: it receives the locations that the user has granted, and passes them on as they come.
/// The reader of a pseudo-terminal or a port cannot be identified, so the grant is this program's.
final class SentenceServer {
    /// The interval of sentences without a fix, the same as a receiver's.
    private static let repetition = TimeAmount.seconds(1)
    private static let stream = "locations"

    private let client: LocationClient
    private let streams: AuthorizedStreams
    private let settings: ServeSettings
    /// The command that grants the location to the installed service.
    private let remedy: String
    private let log: Logger
    private let onStatus: (String) -> Void
    private var outlet: (any SentenceOutlet)?
    private var machine = SentenceServerStateMachine()
    private var sentences: LocationSentences
    private var status: AuthorizationStatus?
    private var accuracy: AccuracyAuthorization?
    private let repetitionTimer: LoopTimer

    /// - Parameters:
    ///   - remedy: The command that grants the location to this instance.
    ///   - onStatus: Called with the state in words, for the service manager.
    ///   - makeOutlet: Makes the outlet, given a handler for the arrival and departure of readers.
    init(
        _ settings: ServeSettings, client: LocationClient, remedy: String, on loop: any EventLoop, log: Logger,
        onStatus: @escaping (String) -> Void, makeOutlet: (@escaping (Bool) -> Void) -> any SentenceOutlet
    ) {
        self.client = client
        self.remedy = remedy
        self.log = log
        self.onStatus = onStatus
        self.settings = settings
        sentences = LocationSentences(settings.kinds, talker: settings.talker)
        streams = AuthorizedStreams(
            purpose: "to pass the location on as NMEA 0183, as this machine's configuration says",
            activity: "the location is passed on", remedy: remedy, client: client, on: loop
        ) { level, text in log.log(level: Logger.Level(rawValue: level.rawValue) ?? .error, "\(text)") }
        repetitionTimer = LoopTimer(on: loop)
        outlet = makeOutlet { [unowned self] areThere in perform(machine.readersChanged(areThere: areThere)) }
    }

    /// Starts. If the daemon does not run yet, waits for it.
    func start() {
        streams.start { [unowned self] event in
            switch event {
            case .authorization(let state): changed(to: state)
            case .unknown:
                status = nil
                perform(machine.authorizationChanged(isAuthorized: false))
            case .ended: perform(machine.ended())
            case .retry: perform(machine.retry())
            }
        }
    }

    /// Shuts readers out, and ends all subscriptions.
    func stop() {
        streams.stop()
        perform(machine.authorizationChanged(isAuthorized: false))
        outlet = nil
    }

    // MARK: The authorization

    private func changed(to state: AuthorizationState) {
        if status != state.status { note(state) }
        status = state.status
        // Attack: accuracy is reduced, and a reader then connects to get the last sentences, with full accuracy.
        if accuracy != state.accuracy, state.accuracy == .reduced { outlet?.forget() }
        changed(to: state.accuracy)
        perform(machine.authorizationChanged(isAuthorized: state.status.isAuthorized))
    }

    private func changed(to accuracy: AccuracyAuthorization) {
        if let former = self.accuracy, former != accuracy { log.notice("accuracy is now \(accuracy)") }
        self.accuracy = accuracy
        // Attack: sentences besides these two, such as a dilution in each direction, reveal more of a reduced location
        // each time.
        let kinds = settings.kinds.filter { accuracy == .full || LocationSentences.basicKinds.contains($0) }
        sentences = LocationSentences(kinds, talker: settings.talker)
    }

    private func note(_ state: AuthorizationState) {
        guard !state.status.isAuthorized else { return log.notice("authorized, \(state.accuracy) accuracy") }
        let reason = state.servicesEnabled ? "not authorized (\(state.status))" : "location services are off"
        onStatus("Not serving: \(reason)")
        // While the status is undetermined, authorization is being requested, and that is logged.
        if state.status != .notDetermined { log.warning("\(reason): nothing is served") }
    }

    // MARK: Actions

    private func perform(_ actions: [SentenceServerStateMachine.Action]) {
        for action in actions {
            switch action {
            case .open: outlet?.open()
            case .close: outlet?.close()
            case .subscribe: subscribe()
            case .unsubscribe: streams.close(Self.stream)
            case .write(let location): outlet?.write(ByteBuffer(bytes: sentences.bytes(of: location)))
            case .writeWithoutFix: outlet?.write(ByteBuffer(bytes: sentences.bytesWithoutFix()))
            case .forget: outlet?.forget()
            }
        }
        scheduleRepetition()
    }

    /// Tells waiting readers once a second that there is no fix.
    private func scheduleRepetition() {
        guard machine.isWithoutFix else { return repetitionTimer.cancel() }
        guard !repetitionTimer.isSet else { return }
        repetitionTimer.set(in: Self.repetition) { [weak self] in
            guard let self, self.machine.isWithoutFix else { return }
            self.perform([.writeWithoutFix])
        }
    }

    private func subscribe() {
        var options = LocationClient.Options()
        options.minimumInterval = settings.interval
        options.allowsBackground = true
        // The reader of a receiver expects sentences while stationary too.
        options.pausesAutomatically = false
        streams.open(Self.stream, client.updates(options)) { [unowned self] in receive($0) }
    }

    private func receive(_ update: LocationUpdate) {
        if update == .suspended { log.warning("in the background, and needs the location always: \(remedy)") }
        perform(machine.received(update))
        if case .authorizationChanged(let state) = update { changed(to: state.accuracy) }
    }
}
