internal import EventLoopSupport
internal import Glibc
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import SentenceWriting

/// Serves this machine's location as NMEA 0183 to whoever reads the outlet. Confined to the event loop.
///
/// It is an app like any other: it gets what the user has granted to it, and passes that on as it comes. Who reads a
/// pseudo-terminal or a port cannot be told, so the grant is this program's.
final class SentenceServer {
    private static let purpose = "to pass the location on as NMEA 0183, as this machine's configuration says"
    /// The time between sentences that say that there is no fix: that of a receiver.
    private static let repetition = TimeAmount.seconds(1)

    private let client: LocationClient
    private let authorization: AuthorizationWatch
    private let settings: ServeSettings
    /// The command that grants the location to the installed service.
    private let remedy: String
    private let loop: any EventLoop
    private let log: Logger
    private let onStatus: (String) -> Void
    private var outlet: (any SentenceOutlet)?
    private var machine = SentenceServerStateMachine()
    private var sentences: LocationSentences
    private var status: AuthorizationStatus?
    private var accuracy: AccuracyAuthorization?
    private var locations: CancellationHandle?
    private let repetitionTimer: LoopTimer
    private let retryTimer: LoopTimer

    /// - Parameters:
    ///   - remedy: The command that grants the location to this instance.
    ///   - onStatus: Called with the state in words, for the service manager.
    ///   - makeOutlet: Makes the outlet. It gets the handler of readers that come and go.
    init(
        _ settings: ServeSettings, client: LocationClient, remedy: String, on loop: any EventLoop, log: Logger,
        onStatus: @escaping (String) -> Void, makeOutlet: (@escaping (Bool) -> Void) -> any SentenceOutlet
    ) {
        self.client = client
        self.remedy = remedy
        self.loop = loop
        self.log = log
        self.onStatus = onStatus
        self.settings = settings
        sentences = LocationSentences(settings.kinds, talker: settings.talker)
        authorization = AuthorizationWatch(.always, reason: Self.purpose, client: client, on: loop)
        (repetitionTimer, retryTimer) = (LoopTimer(on: loop), LoopTimer(on: loop))
        outlet = makeOutlet { [unowned self] areThere in perform(machine.readersChanged(areThere: areThere)) }
    }

    /// Starts. If the daemon does not run yet, waits for it.
    func start() {
        authorization.start { [unowned self] event in receive(event) }
    }

    /// Shuts readers out, and ends all subscriptions.
    func stop() {
        authorization.stop()
        perform(machine.authorizationChanged(isAuthorized: false))
        retryTimer.cancel()
        outlet = nil
    }

    // MARK: The authorization

    private func receive(_ event: AuthorizationWatch.Event) {
        switch event {
        case .state(let state): changed(to: state)
        case .unknown(let reason):
            log.error("cannot read the authorization from locationd: \(reason); trying again in 10 s")
            status = nil
            perform(machine.authorizationChanged(isAuthorized: false))
        case .requested: log.notice("nobody has decided yet whether the location is passed on: \(remedy)")
        case .notRequested(let error): log.warning("no prompt: \(error)")
        }
    }

    private func changed(to state: AuthorizationState) {
        if status != state.status { note(state) }
        status = state.status
        // Attack: accuracy is reduced, and a reader then connects to get what was written last, with full accuracy.
        if accuracy != state.accuracy, state.accuracy == .reduced { outlet?.forget() }
        changed(to: state.accuracy)
        perform(machine.authorizationChanged(isAuthorized: state.status.isAuthorized))
    }

    private func changed(to accuracy: AccuracyAuthorization) {
        if let former = self.accuracy, former != accuracy { log.notice("\(accuracy) accuracy from now on") }
        self.accuracy = accuracy
        // Attack: what sentences beside these two tell of a reduced location, such as a dilution in each direction,
        // tells more of it with each one.
        let kinds = settings.kinds.filter { accuracy == .full || LocationSentences.basicKinds.contains($0) }
        sentences = LocationSentences(kinds, talker: settings.talker)
    }

    private func note(_ state: AuthorizationState) {
        guard !state.status.isAuthorized else { return log.notice("authorized, \(state.accuracy) accuracy") }
        let reason = state.servicesEnabled ? "not authorized (\(state.status))" : "location services are off"
        onStatus("Nobody is let in: \(reason)")
        // What nobody has decided is requested, and that is logged.
        if state.status != .notDetermined { log.warning("\(reason): nobody is let in") }
    }

    // MARK: Actions

    private func perform(_ actions: [SentenceServerStateMachine.Action]) {
        for action in actions {
            switch action {
            case .open: outlet?.open()
            case .close: outlet?.close()
            case .subscribe: subscribe()
            case .unsubscribe:
                locations?.cancel()
                locations = nil
            case .write(let location): outlet?.write(ByteBuffer(bytes: sentences.bytes(of: location)))
            case .writeWithoutFix: outlet?.write(ByteBuffer(bytes: sentences.bytesWithoutFix()))
            case .forget: outlet?.forget()
            }
        }
        scheduleRepetition()
    }

    /// While readers wait for a fix, they hear once a second that there is none.
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
        // The reader of a receiver expects sentences at anchor too.
        options.pausesAutomatically = false
        let bound = NIOLoopBound(self, eventLoop: loop)
        locations = client.updates(options).subscribe(waitsForDaemon: true) { step in bound.value.receive(step) }
    }

    private func receive(_ step: StreamStep<LocationUpdate>) {
        switch step {
        case .element(let update):
            if update == .suspended { log.warning("in the background, and needs the location always: \(remedy)") }
            perform(machine.received(update))
            if case .authorizationChanged(let state) = update { changed(to: state.accuracy) }
        case .ended(let error):
            locations = nil
            switch error {
            case .notAuthorized(.authorizedWhenInUse): log.warning("a service needs the location always: \(remedy)")
            case .notAuthorized, .servicesDisabled, nil: break
            case let error?: log.warning("the subscription to locations ended: \(error)")
            }
            perform(machine.ended())
            retryTimer.set(in: AuthorizationWatch.retryDelay) { [weak self] in
                guard let self else { return }
                self.perform(self.machine.retry())
            }
        }
    }
}
