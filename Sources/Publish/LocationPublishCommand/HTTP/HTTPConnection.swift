internal import CCurl
internal import NIOCore
internal import Publishing

/// Sequential requests to an HTTP server, until one fails.
///
/// libcurl establishes and keeps the connections, and re-establishes them after the server has closed one properly.
final class HTTPConnection: Transport, Sendable {
    private let loop: any EventLoop
    private let session: NIOLoopBound<HTTPSession>

    /// Starts a session. Must be called on the loop; `onEvent` is called there too.
    init(
        _ settings: HTTPSettings, on loop: any EventLoop, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.loop = loop
        session = NIOLoopBound(HTTPSession(settings, on: loop, onEvent: onEvent), eventLoop: loop)
        session.value.start()
    }

    deinit { loop.execute { [session] in session.value.stop() } }

    func send(_ message: OutgoingMessage) { session.value.send(message) }

    /// Closes the connection, aborting any request in progress.
    func close(gracefully: Bool) { session.value.close() }
}

/// The requests of a connection. Confined to the event loop.
final class HTTPSession {
    private let settings: HTTPSettings
    private let loop: any EventLoop
    private let onEvent: @Sendable (TransportEvent) -> Void
    private var request: CurlRequest?
    private var transfers: CurlTransfers?
    private var waiting: [OutgoingMessage] = []
    /// The token of the message being sent.
    private var token: SendQueue.Token?
    /// A Boolean value indicating whether the server has accepted a message.
    private var isConnected = false
    private var hasEnded = false

    init(
        _ settings: HTTPSettings, on loop: any EventLoop, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.settings = settings
        self.loop = loop
        self.onEvent = onEvent
    }

    /// Reports shortly afterwards that messages may be sent.
    func start() {
        let session = NIOLoopBound(self, eventLoop: loop)
        loop.execute { session.value.open() }
    }

    func send(_ message: OutgoingMessage) {
        waiting.append(message)
        next()
    }

    func close() { end(nil) }

    /// Ends everything without reporting it.
    func stop() {
        hasEnded = true
        transfers?.stop()
        (transfers, request, waiting) = (nil, nil, [])
    }

    private func open() {
        guard !hasEnded else { return }
        do {
            let transfers = try CurlTransfers(on: loop)
            transfers.onEnd = { [unowned self] in ended($0) }
            self.transfers = transfers
            request = try CurlRequest(settings)
        } catch let failure as CurlRequest.Failure {
            return end(failure.reason)
        } catch {
            return end("\(error)")
        }
        onEvent(.ready)
    }

    private func next() {
        guard token == nil, !waiting.isEmpty, let request, let transfers else { return }
        let message = waiting.removeFirst()
        guard request.prepare(message.message.payload), transfers.start(request) else {
            return end("libcurl has no memory")
        }
        token = message.token
    }

    private func ended(_ result: CURLcode) {
        guard let request, let token else { return }
        self.token = nil
        switch request.verdict(result) {
        case .accepted:
            if !isConnected { onEvent(.connected) }
            isConnected = true
            onEvent(.acknowledged(token))
        case .refused(let reason): onEvent(.refused(token, reason: reason))
        case .unavailable(let reason, let pauseSeconds):
            end(reason, pause: pauseSeconds.map { .seconds(Int64($0)) })
        case .serverError(let reason, let pauseSeconds):
            onEvent(.failed(token, reason: reason))
            end(reason, pause: pauseSeconds.map { .seconds(Int64($0)) })
        case .stopped(let reason): end(reason, pause: ServerLink.longPause)
        }
        next()
    }

    private func end(_ reason: String?, pause: TimeAmount? = nil) {
        guard !hasEnded else { return }
        stop()
        onEvent(.closed(reason: reason, pause: pause))
    }
}
