internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import Publishing

/// The object that sends messages through a ``ServerLink`` and is notified of their outcome. All functions are called
/// on the loop.
protocol ServerLinkDelegate: AnyObject {
    /// A Boolean value indicating whether the server has something to acknowledge.
    var awaitsAcknowledgement: Bool { get }
    /// Messages may be sent.
    func linkIsReady()
    /// The server has acknowledged a message.
    func linkDidAcknowledge(_ token: SendQueue.Token)
    /// The server has permanently refused a message.
    func linkDidRefuse(_ token: SendQueue.Token, reason: String)
    /// The server has failed at a message.
    func linkDidFail(_ token: SendQueue.Token, reason: String)
    /// The connection has ended.
    func linkDidEnd()
    /// It is time to connect again.
    func linkShouldConnect()
}

/// The connection to the server, which is re-established after growing delays whenever it ends. Confined to the event
/// loop.
final class ServerLink {
    /// The pause before reconnecting to a server that accepts nothing from this machine. Restarting the service, after
    /// a change of its configuration or credentials, ends the pause.
    static let longPause = TimeAmount.minutes(15)
    /// The time after which a connection counts as good, so that the next delay is short again.
    ///
    /// Two publishers with the same device name end each other's connections. Each waits for up to a minute, and the
    /// other's connection lasts that long. Such a connection must not count as good, or the delays would return to a
    /// second.
    private static let goodConnectionTime = TimeAmount.seconds(90)

    /// The sender of the messages.
    weak var delegate: (any ServerLinkDelegate)?
    /// The reason why the last connection ended, or `nil` once another lasts. Each reason is logged once.
    private(set) var failure: String?
    /// A Boolean value indicating whether sending is paused: the server has asked for that, or accepts nothing from
    /// this machine.
    var isPaused: Bool { pauseEnd.map { loop.now < $0 } ?? false }
    /// A Boolean value indicating whether a connection exists, or is being made or closed.
    var isInUse: Bool { transport != nil }

    private let kind: TransportKind
    private let server: String
    private let loop: any EventLoop
    private let log: Logger
    private var backoff: Backoff
    private var transport: (any Transport)?
    /// A Boolean value indicating whether the server has accepted the connection.
    private(set) var isConnected = false
    /// The end of the pause, or `nil` if there is none.
    private var pauseEnd: NIODeadline?
    /// A Boolean value indicating whether an accepted connection failed before it was good, and none has been good
    /// since.
    private var isUnsteady = false
    private var isStopped = false
    private let retryTimer: LoopTimer
    private let answerTimer: LoopTimer
    private let goodTimer: LoopTimer

    /// - Parameter server: The server's address, for the log.
    init(_ kind: TransportKind, server: String, backoff: Backoff, on loop: any EventLoop, log: Logger) {
        self.kind = kind
        self.server = server
        self.backoff = backoff
        self.loop = loop
        self.log = log
        retryTimer = LoopTimer(on: loop)
        answerTimer = LoopTimer(on: loop)
        goodTimer = LoopTimer(on: loop)
    }

    /// Starts connecting, unless there is a connection, or one failed a short time ago.
    func connect() {
        guard transport == nil, !retryTimer.isSet else { return }
        if let pauseEnd, loop.now < pauseEnd { return retry(at: pauseEnd) }
        pauseEnd = nil
        let link = NIOLoopBound(self, eventLoop: loop)
        transport = kind.connect(loop) { event in link.value.receive(event) }
        awaitAnswer()
    }

    func send(_ message: OutgoingMessage) {
        transport?.send(message)
        if !answerTimer.isSet { awaitAnswer() }
    }

    /// Ends the connection, if there is one.
    func close(gracefully: Bool) { transport?.close(gracefully: gracefully) }

    /// Ends the connection, if there is one, and pauses for a long time.
    func pause(_ reason: String) {
        guard let transport else { return }
        pauseEnd = loop.now + Self.longPause
        note(reason, delay: Self.longPause)
        transport.close(gracefully: false)
    }

    /// Forgets that a connection failed a short time ago: the next one may be made at once, unless there is a pause.
    func cancelRetry() { retryTimer.cancel() }

    /// Stops connecting.
    func stop() {
        retryTimer.cancel()
        answerTimer.cancel()
        isStopped = true
    }

    private func receive(_ event: TransportEvent) {
        switch event {
        case .connected:
            isConnected = true
            if !isUnsteady { noteConnection() }
            goodTimer.set(in: Self.goodConnectionTime) { [weak self] in self?.becameGood() }
        case .ready:
            delegate?.linkIsReady()
            awaitAnswer()
        case .acknowledged(let token):
            delegate?.linkDidAcknowledge(token)
            awaitAnswer()
        case .refused(let token, let reason):
            delegate?.linkDidRefuse(token, reason: reason)
            awaitAnswer()
        case .failed(let token, let reason): delegate?.linkDidFail(token, reason: reason)
        case .closed(let reason, let pause): closed(reason, pause)
        }
    }

    private func becameGood() {
        backoff.reset()
        if isUnsteady { noteConnection() }
        isUnsteady = false
    }

    private func noteConnection() {
        failure = nil
        log.notice("connected to \(server)")
    }

    private func closed(_ reason: String?, _ pause: TimeAmount?) {
        let delay = max(.clamping(seconds: backoff.next()), pause ?? .zero)
        if let pause { pauseEnd = loop.now + pause }
        if let reason, !isStopped { note(reason, delay: pause.map { _ in delay }) }
        transport = nil
        isConnected = false
        answerTimer.cancel()
        goodTimer.cancel()
        if !isStopped { retry(at: max(loop.now + delay, pauseEnd ?? loop.now)) }
        delegate?.linkDidEnd()
    }

    private func retry(at time: NIODeadline) {
        retryTimer.set(at: time) { [weak self] in self?.delegate?.linkShouldConnect() }
    }

    /// Sets the deadline for the server's answer, if one is due.
    private func awaitAnswer() {
        let isDue = !isConnected || delegate?.awaitsAcknowledgement == true
        guard let transport, let timeout = kind.answerTimeout, !isStopped, isDue else {
            return answerTimer.cancel()
        }
        let what = isConnected ? "acknowledged nothing" : "not accepted the connection"
        answerTimer.set(in: timeout) { [weak self] in
            self?.note("the server has \(what) for \(timeout.nanoseconds / 1_000_000_000) s", delay: nil)
            transport.close(gracefully: false)
        }
    }

    /// - Parameter delay: The length of the pause, or `nil` if it is short.
    private func note(_ reason: String, delay: TimeAmount?) {
        if isConnected, goodTimer.isSet { isUnsteady = true }
        let seconds = (delay?.nanoseconds ?? 0) / 1_000_000_000
        if reason != failure, delay == nil { log.warning("no connection to \(server): \(reason); trying again") }
        if reason != failure, delay != nil {
            log.warning("nothing is sent to \(server): \(reason); trying again in \(seconds) s")
        }
        failure = reason
    }
}
