internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import Publishing

/// The connection to the server, which is re-established after growing delays whenever it ends. Confined to the event
/// loop.
final class ServerLink {
    /// The time within which the server must accept a connection, and acknowledge at least one message in flight.
    private static let answerTimeout = TimeAmount.seconds(30)
    /// The time after which a connection counts as good, so that the next delay is short.
    ///
    /// Two publishers with the same device name end each other's connections. Each waits for up to a minute, as long as
    /// the other's connection lasts. Such a connection must not count, or one of them would return to delays of a
    /// second.
    private static let goodConnectionTime = TimeAmount.seconds(90)

    /// Called when the server has accepted a connection.
    var onConnected: () -> Void = {}
    /// Called when the server has acknowledged a message.
    var onAcknowledged: (SendQueue.Token) -> Void = { _ in }
    /// Called when the connection has ended.
    var onEnded: () -> Void = {}
    /// Called when it is time to connect again.
    var onRetry: () -> Void = {}
    /// Returns whether the server has something to acknowledge.
    var isAnswerDue: () -> Bool = { false }

    /// The reason why the last connection ended, or `nil` once there is another that lasts. Each reason is logged once.
    private(set) var failure: String?
    /// A Boolean value indicating whether there is a connection, or one is being made or closed.
    var isInUse: Bool { transport != nil }

    private let kind: TransportKind
    private let server: String
    private let loop: any EventLoop
    private let log: Logger
    private var backoff: Backoff
    private var transport: (any Transport)?
    private var isConnected = false
    /// A Boolean value indicating whether a connection that the server had accepted has failed before it was good, and
    /// none has been good since.
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

    /// Forgets that a connection failed a short time ago: the next may be made at once.
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
            onConnected()
            awaitAnswer()
        case .acknowledged(let token):
            onAcknowledged(token)
            awaitAnswer()
        case .finished:
            backoff.reset()
            closed(nil)
        case .closed(let reason): closed(reason)
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

    private func closed(_ reason: String?) {
        if let reason, !isStopped { note(reason) }
        transport = nil
        isConnected = false
        answerTimer.cancel()
        goodTimer.cancel()
        if !isStopped {
            retryTimer.set(in: .clamping(seconds: backoff.next())) { [weak self] in self?.onRetry() }
        }
        onEnded()
    }

    /// Sets the time by which the server has to answer, if an answer is due.
    private func awaitAnswer() {
        guard let transport, !isStopped, !isConnected || isAnswerDue() else { return answerTimer.cancel() }
        let what = isConnected ? "acknowledged nothing" : "not accepted the connection"
        answerTimer.set(in: Self.answerTimeout) { [weak self] in
            self?.note("the server has \(what) for \(Self.answerTimeout.nanoseconds / 1_000_000_000) s")
            transport.close(gracefully: false)
        }
    }

    private func note(_ reason: String) {
        if isConnected, goodTimer.isSet { isUnsteady = true }
        if reason != failure { log.warning("no connection to \(server): \(reason); trying again") }
        failure = reason
    }
}
