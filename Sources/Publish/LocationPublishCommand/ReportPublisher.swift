internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
internal import Publishing

/// The publisher: puts locationd's reports into the queue, and sends the queue to the server.
///
/// A report is sent once it is on the disk, and deleted from the disk once the server has acknowledged it. Nothing is
/// sent before locationd has confirmed, in this run, that the publisher is authorized, nor while location services are
/// off, unless the configuration allows it. Confined to the event loop.
final class ReportPublisher {
    /// The clocks of the machine.
    struct Clocks: Sendable {
        /// Returns the time in UTC.
        var wall: @Sendable () -> Timestamp
        /// Returns the seconds of a clock that is never set and keeps counting while the machine sleeps.
        var elapsed: @Sendable () -> Double
    }

    /// The current permission to send the queue.
    private enum Permission {
        /// Nothing is sent: there is no decision, or the publisher was denied the location.
        case none
        /// Nothing is sent until location services are on again.
        case servicesOff
        /// The queue is sent.
        case send
    }

    private static let stopTimeout = TimeAmount.seconds(5)
    /// The delay between a change and the status report: the queue may change a hundred times a second.
    private static let statusDelay = TimeAmount.seconds(5)
    /// The maximum number of refused reports in a row. At that number, the reports are not the cause.
    private static let maximumRefusals = 10

    /// Called with the state in words, without positions, after changes.
    var onStatus: (String) -> Void = { _ in }

    private let loop: any EventLoop
    private let log: Logger
    private let format: any ReportFormat
    private let settings: PublisherSettings
    private let store: QueueStore
    private let intake: QueueIntake
    private let removal: QueueRemoval
    private let thread: QueueThread

    private let source: any ReportSource
    private let link: ServerLink
    private var queue: SendQueue
    private var permission = Permission.none
    /// The number of reports set aside since the server last accepted one.
    private var refusals = 0
    /// The reason of the last refusal. Each is logged once.
    private var refusal: String?
    /// The accuracy that may be sent, or `nil` before this run has learned it.
    private var accuracy: AccuracyAuthorization?
    private var isStopping = false
    private let stopTimer: LoopTimer
    private let statusTimer: LoopTimer
    private var onStop: EventLoopPromise<Void>?

    init(
        _ settings: PublisherSettings, store: QueueStore, kind: TransportKind, source: any ReportSource,
        clocks: Clocks, backoff: Backoff = Backoff(first: 1, greatest: 60), on loop: any EventLoop, log: Logger
    ) {
        self.settings = settings
        self.store = store
        self.source = source
        self.loop = loop
        self.log = log
        format = settings.reportFormat
        queue = SendQueue(
            window: kind.window, maximumBatch: format.maximumBatch, sendsState: !settings.broker.scheme.isHTTP)
        thread = QueueThread(store, on: loop)
        intake = QueueIntake(thread, lastTime: store.lastTime, clocks: clocks, on: loop, log: log)
        removal = QueueRemoval(thread, log: log)
        link = ServerLink(kind, server: "\(settings.broker)", backoff: backoff, on: loop, log: log)
        stopTimer = LoopTimer(on: loop)
        statusTimer = LoopTimer(on: loop)
    }

    /// Starts.
    func start() {
        // A write or a connection may outlast the publisher.
        intake.onStored = { [weak self] in self?.stored($0) }
        intake.onCleared = { [weak self] in self?.connect() }
        link.delegate = self
        source.start { [unowned self] in receive($0) }
        noteStatus()
    }

    /// Stops: writes the received reports to the disk, and disconnects from the server. Unacknowledged reports stay in
    /// the queue.
    func stop() -> EventLoopFuture<Void> {
        isStopping = true
        source.stop()
        link.stop()
        statusTimer.cancel()
        let closed = loop.makePromise(of: Void.self)
        onStop = closed
        if link.isInUse { sayGoodbye() } else { closed.succeed() }
        // A connection being established may not end for minutes.
        stopTimer.set(in: Self.stopTimeout) { closed.succeed() }
        let publisher = NIOLoopBound(self, eventLoop: loop)
        return closed.futureResult.flatMap { publisher.value.writeRest() }
    }

    private func writeRest() -> EventLoopFuture<Void> {
        stopTimer.cancel()
        intake.stop()
        removal.flush()
        return thread.stop()
    }

    // MARK: locationd

    private func receive(_ event: SourceEvent) {
        switch event {
        case .report(let report): intake.add(report)
        case .authorized(let accuracy, let servicesEnabled):
            if accuracy == .reduced, self.accuracy != .reduced { forget(.fullAccuracy) }
            self.accuracy = accuracy
            permission = servicesEnabled || settings.sendsWhileDisabled ? .send : .servicesOff
            if permission == .send { connect() } else { endConnection() }
            noteStatus()
        case .undecided:
            permission = .none
            endConnection()
            noteStatus()
        case .denied:
            permission = .none
            forget(.everything)
            noteStatus()
        }
    }

    private func forget(_ what: QueueClearing) {
        endConnection()
        intake.clear(what)
    }

    /// Closes the connection at once, without DISCONNECT. Unsent messages are discarded; the broker publishes the last
    /// will.
    private func endConnection() {
        link.close(gracefully: false)
        link.cancelRetry()
        queue.disconnected()
    }

    // MARK: The server

    private func connect() {
        guard permission == .send, !isStopping, !intake.isClearing else { return }
        link.connect()
    }

    /// Ends the connection, if there is one, after an offline message: the last will is only for lost connections.
    private func sayGoodbye() {
        if let offline = format.availability?.offline {
            link.send(OutgoingMessage(message: offline, token: .announcement))
        }
        link.close(gracefully: true)
    }

    // MARK: The status

    /// Reports the status soon.
    private func noteStatus() {
        guard !statusTimer.isSet, !isStopping else { return }
        statusTimer.set(in: Self.statusDelay) { [weak self] in
            guard let self else { return }
            let status = PublisherStatus(
                connection: connectionStatus, waiting: store.count, refused: store.refusedCount)
            onStatus(status.text)
        }
    }

    private var connectionStatus: String {
        if link.isConnected { return "\(PublisherStatus.connected)\(settings.broker)" }
        switch permission {
        case .none: return "Not authorized"
        case .servicesOff: return "Location services are off"
        case .send: break
        }
        if let failure = link.failure {
            return (link.isPaused ? "Nothing is sent to " : "No connection to ") + "\(settings.broker): \(failure)"
        }
        return (queue.isConnected ? PublisherStatus.ready : "Connecting to ") + "\(settings.broker)"
    }

    // MARK: The queue

    private func stored(_ entries: [QueuedReport]) {
        for entry in entries { perform(queue.stored(entry)) }
        noteStatus()
    }

    /// - Parameter refusal: The server's reason for refusing a report, if that caused the actions.
    private func perform(_ actions: [SendQueue.Action], refusal: String = "") {
        for action in actions {
            switch action {
            case .load(let request): load(request)
            case .sendState(let entry):
                guard let message = format.state(of: entry) else { continue }
                link.send(OutgoingMessage(message: message, token: .state, identity: entry.identity))
            case .send(let entries):
                let identity = entries[0].identity
                link.send(
                    OutgoingMessage(
                        message: format.message(for: entries), token: .report(identity.number), identity: identity,
                        expirySeconds: settings.bounds.maximumAge))
            case .delete(let number): removal.delete(number)
            case .setAside(let number): setAside(number, refusal)
            }
        }
    }

    private func setAside(_ number: Int64, _ reason: String) {
        refusals += 1
        let level: Logger.Level = reason == refusal ? .debug : .warning
        log.log(level: level, "\(settings.broker) refuses the report \(number) (\(reason)): it is set aside")
        refusal = reason
        let log = log
        // If it fails, the report is sent again on the next connection.
        thread.run { try $0.setAside(number, reason: reason) }.whenFailure { log.error("\($0)") }
    }

    private func load(_ request: SendQueue.LoadRequest) {
        // Acknowledged reports are deleted first, so that they are not read again.
        removal.flush()
        let publisher = NIOLoopBound(self, eventLoop: loop)
        thread.run { try $0.read(after: request.after, count: request.count) }.whenComplete { result in
            publisher.value.loaded(result, for: request)
        }
    }

    private func loaded(_ result: Result<QueueStore.Reading, any Error>, for request: SendQueue.LoadRequest) {
        switch result {
        case .success(let reading):
            if reading.unreadable > 0 {
                log.error("\(reading.unreadable) invalid entries in the queue were skipped")
            }
            perform(queue.loaded(reading.entries, newest: reading.newest, for: request))
        case .failure(let error):
            log.error("\(error)")
            link.close(gracefully: false)
        }
    }
}

extension ReportPublisher: ServerLinkDelegate {
    var awaitsAcknowledgement: Bool { queue.awaitsAcknowledgement }

    func linkShouldConnect() { connect() }

    func linkIsReady() {
        guard permission == .send else { return }
        noteStatus()
        let first = [format.availability?.online].compactMap(\.self) + format.announcements
        for message in first { link.send(OutgoingMessage(message: message, token: .announcement)) }
        perform(queue.connected())
    }

    func linkDidAcknowledge(_ token: SendQueue.Token) {
        noteStatus()
        if case .report = token { refusals = 0 }
        perform(queue.acknowledged(token))
    }

    /// Attack: the server, or a mistake in its configuration, refuses everything, and a week's queue is set aside
    /// report by report.
    func linkDidRefuse(_ token: SendQueue.Token, reason: String) {
        noteStatus()
        perform(queue.refused(token), refusal: reason)
        guard refusals >= Self.maximumRefusals else { return }
        link.pause("the server has refused \(refusals) reports in a row (\(reason)), and accepted none")
    }

    func linkDidFail(_ token: SendQueue.Token, reason: String) {
        perform(queue.failed(token), refusal: "\(reason) each time, and takes others")
    }

    func linkDidEnd() {
        noteStatus()
        queue.disconnected()
        if isStopping { onStop?.succeed() }
    }
}
