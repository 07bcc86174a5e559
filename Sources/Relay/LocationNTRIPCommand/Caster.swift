internal import EventLoopSupport
internal import ForeignText
internal import LocationClient
internal import LocationModel
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import NTRIP
internal import RTCM

/// Passes a caster's corrections on to the daemon while an app needs them. Confined to the event loop.
///
/// It is an app like any other if the caster needs a position, or the nearest station is looked for: it gets the
/// location that the user has granted. Otherwise it needs no grant.
final class Caster {
    private static let stream = "locations"

    private let settings: CasterSettings
    private let streams: AuthorizedStreams
    private let poller: DescriptorPoller
    private let loop: any EventLoop
    private let log: Logger
    private let onStatus: (String) -> Void
    private var link: DaemonLink!
    private var machine: CasterStateMachine
    private let timer: LoopTimer
    private var connection: Connection?
    /// The last location, or `nil` if it is not known, or not granted any more.
    private var location: Location?
    private var accuracy: AccuracyAuthorization?
    private var isWatching = false
    /// The last failure that was logged.
    private var logged: String?

    /// - Parameters:
    ///   - socket: The path of the daemon's socket for corrections.
    ///   - remedy: The command that grants the location to this instance.
    ///   - onStatus: Called with the state in words, for the service manager.
    init(
        _ settings: CasterSettings, client: LocationClient, socket: String, remedy: String, poller: DescriptorPoller,
        on loop: any EventLoop, log: Logger, onStatus: @escaping (String) -> Void
    ) {
        (self.settings, self.poller, self.loop, self.log, self.onStatus) = (settings, poller, loop, log, onStatus)
        machine = CasterStateMachine(settings.plan, interval: settings.interval)
        timer = LoopTimer(on: loop)
        streams = AuthorizedStreams(
            purpose: "to get corrections for this place, as this machine's configuration says",
            activity: "the location is used for corrections", remedy: remedy, client: client, on: loop
        ) { level, text in log.log(level: Logger.Level(rawValue: level.rawValue) ?? .error, "\(text)") }
        link = DaemonLink(path: socket, receiver: settings.receiver, on: loop) { [unowned self] in
            follow($0)
        } onFailure: { [unowned self] in
            note("no connection to locationd's socket for corrections: \($0)", .warning)
        }
    }

    func start() { link.start() }

    func stop() {
        link.stop()
        streams.stop()
        timer.cancel()
        disconnect()
    }

    private func follow(_ need: CorrectionsSocket.Need) {
        handle(.needed(need == .needed))
        guard case .refused(let reason) = need else { return }
        let text = ForeignText.line(reason)
        onStatus("No corrections: \(text)")
        note("no corrections: \(text)", .error)
    }

    // MARK: The location

    private func changed(to state: AuthorizationState) {
        // Attack: the authorization ends, or its accuracy is reduced, and the caster gets the last location.
        if !state.status.isAuthorized || (accuracy == .full && state.accuracy == .reduced) { forgetLocation() }
        accuracy = state.accuracy
        followLocation()
    }

    private func forgetLocation() {
        location = nil
        handle(.unlocated)
    }

    /// Watches the authorization from the first need on: a program that needs no position asks the user nothing.
    private func watchAuthorization() {
        isWatching = true
        streams.start { [unowned self] event in
            switch event {
            case .authorization(let state): changed(to: state)
            case .unknown, .ended: forgetLocation()
            case .retry: followLocation()
            }
        }
    }

    private func followLocation() {
        guard machine.needsLocation else { return streams.close(Self.stream) }
        guard isWatching else { return watchAuthorization() }
        var options = LocationClient.Options()
        // The nearest station is chosen by the cell, too. Attack: a caster lists a station every hundred metres, and
        // the choice says where the machine is.
        options.desiredAccuracy = settings.plan.wantsFullAccuracy ? .hundredMeters : .reduced
        options.allowsBackground = true
        options.pausesAutomatically = false
        streams.open(Self.stream, settings.client.updates(options)) { [unowned self] in receive($0) }
    }

    private func receive(_ update: LocationUpdate) {
        switch update {
        case .location(let location):
            self.location = location
            handle(.located(Place(location)))
        case .authorizationChanged(let state): changed(to: state)
        case .suspended, .disconnected: forgetLocation()
        case .paused, .resumed, .unsuspended, .receiverLost, .receiverFound, .reconnected: break
        }
    }

    // MARK: The state machine

    private func handle(_ event: CasterStateMachine.Event) {
        let needed = machine.needsLocation
        for action in machine.handle(event, at: loop.now.seconds) { perform(action) }
        if machine.needsLocation != needed {
            if !machine.needsLocation { location = nil }
            followLocation()
        }
        guard let deadline = machine.deadline else { return timer.cancel() }
        timer.set(in: .clamping(seconds: deadline - loop.now.seconds)) { [unowned self] in handle(.wake) }
    }

    private func perform(_ action: CasterStateMachine.Action) {
        switch action {
        case .connect(let mount): connect(mount)
        case .sendPosition:
            guard let location else { return }
            connection?.link.send(UpstreamPosition.sentence(of: location, at: settings.clock()))
        case .disconnect: disconnect()
        case .report(let status): report(status)
        }
    }

    private func report(_ status: CasterStatus) {
        onStatus(status.description)
        switch status {
        case .unneeded, .awaitingLocation, .outOfReach, .connecting: log.info("\(status)")
        case .receiving:
            logged = nil
            log.notice("\(status)")
        case .failed(let reason, _): note("no corrections: \(reason)", .warning)
        case .stopped: log.error("\(status)")
        }
    }

    /// Logs a failure, unless it is the last one again.
    private func note(_ failure: String, _ level: Logger.Level) {
        if logged != failure { log.log(level: level, "\(failure)") }
        logged = failure
    }

    // MARK: The connection

    /// A connection, and the parts of the answer so far.
    private final class Connection {
        let link: CasterConnection
        var answer = CasterAnswer()
        var content: CasterAnswer.Content?
        var table = SourceTable()
        var delimiter = RTCMDelimiter()
        var reference = ReferenceCheck()
        var reception: Reception
        var passedOn = 0
        var dropped = 0

        init(_ link: CasterConnection, _ reception: Reception) { (self.link, self.reception) = (link, reception) }
    }

    private func connect(_ mount: String?) {
        let request = CasterRequest.bytes(
            mount: mount, at: settings.address, version: Version.text, credentials: settings.credentials)
        let link = CasterConnection(poller: poller, on: loop) { [unowned self] event in
            switch event {
            case .connected: connection?.link.send(request)
            case .received(let bytes): receive(bytes)
            case .ended(let reason): ended(reason)
            }
        }
        connection = Connection(link, Reception(of: mount ?? "", at: loop.now.seconds))
        link.start(settings.address, authorities: settings.authorities)
    }

    private func disconnect() {
        guard let connection else { return }
        self.connection = nil
        connection.link.close()
        guard connection.content == .corrections else { return }
        log.info(
            """
            \(connection.passedOn) frames were passed on and \(connection.dropped) dropped; \
            \(connection.delimiter.skipped) bytes were not RTCM 3
            """)
    }

    private func ended(_ reason: String) {
        // Some casters end a table by closing.
        if let connection, connection.content == .sourceTable, !connection.table.stations.isEmpty {
            handle(.tableRead(connection.table))
        } else {
            handle(.failed(reason))
        }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let connection else { return }
        for event in connection.answer.receive(bytes) {
            // An earlier event may have ended the connection.
            guard self.connection === connection else { return }
            switch event {
            case .began(let content):
                connection.content = content
                handle(.answered(content))
            case .data(let bytes):
                if connection.content == .corrections { receiveFrames(bytes) } else { receiveTable(bytes) }
            case .ended: ended("the caster has ended its answer")
            case .refused(let refusal): handle(.refused(refusal))
            }
        }
    }

    private func receiveTable(_ bytes: [UInt8]) {
        guard let connection else { return }
        let isWithinLimit = connection.table.receive(bytes)
        if connection.table.isComplete || !isWithinLimit { handle(.tableRead(connection.table)) }
    }

    private func receiveFrames(_ bytes: [UInt8]) {
        guard let connection else { return }
        var frames = 0
        connection.delimiter.receive(bytes.span.bytes) { frame, bytes in
            frames += 1
            check(frame, bytes, connection)
            let isSent = frame.mayReachReceiver(bytes) && link.send(bytes.withUnsafeBufferPointer { Array($0) })
            guard isSent else { return connection.dropped += 1 }
            connection.passedOn += 1
            if let line = connection.reception.add(frame, length: bytes.count, at: loop.now.seconds) { onStatus(line) }
        }
        if frames > 0 { handle(.frame) }
    }

    private func check(_ frame: RTCMFrame, _ bytes: Span<UInt8>, _ connection: Connection) {
        guard let point = ReferencePoint(frame, bytes) else { return }
        if let location, let distance = Place(point)?.distance(to: Place(location)) {
            let limit = NearestStation.greatestDistance(to: machine.listedStation)
            connection.reception.exceededLimit = distance > limit ? Int(limit / 1000) : nil
        }
        // A network's station is wherever the position is that it got.
        guard !machine.sendsPosition,
            let suspicion = connection.reference.check(
                point, station: frame.station, listed: machine.listedStation?.place)
        else { return }
        switch suspicion {
        case .differsFromTable(let metres):
            log.warning(
                "the station is \(Int(metres / 1000)) km from where the caster's list has it: positions may be wrong")
        case .moved(let metres):
            log.warning("the station has moved by \(Int(metres / 1000)) km: positions may be wrong")
        }
    }
}

/// The settings of an instance.
struct CasterSettings {
    let address: CasterAddress
    let plan: CasterPlan
    /// The name of the receiver for the corrections, or `nil` for any that takes them.
    let receiver: String?
    let interval: Double
    let authorities: String?
    let credentials: CasterCredentials?
    let client: LocationClient
    /// Returns the time of day.
    let clock: () -> Timestamp
}

extension CasterPlan {
    /// A Boolean value indicating whether the caster gets the position with full accuracy, if that is granted.
    fileprivate var wantsFullAccuracy: Bool {
        switch self {
        case .nearest, .mount(_, .reduced?), .mount(_, .some(.none)): false
        case .mount(_, .full?), .mount(_, nil): true
        }
    }
}
