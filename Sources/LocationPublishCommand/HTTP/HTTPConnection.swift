internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Publishing

/// One connection to an HTTP server: a POST request for each message, one after the other.
final class HTTPConnection: Transport, Sendable {
    /// The timeout of connecting.
    private static let connectTimeout = TimeAmount.seconds(30)

    private let loop: any EventLoop
    private let address: BrokerAddress
    private let onEvent: @Sendable (TransportEvent) -> Void
    private let state: NIOLoopBoundBox<State>

    private struct State {
        var channel: (any Channel)?
        var tokens: [SendQueue.Token] = []
        var isClosed = false
        /// The reason why the connection ends, once it is known.
        var failure: String?
        var isClosing = false
        /// A Boolean value indicating whether the server has accepted a report.
        var hasAnswered = false

        /// A Boolean value indicating whether the server may end the connection without a fault.
        var isFinished: Bool { hasAnswered && tokens.isEmpty && failure == nil && !isClosing }
    }

    /// Starts connecting. Must be called on the loop, where `onEvent` is called too.
    init(
        _ address: BrokerAddress, on loop: any EventLoop, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.loop = loop
        self.address = address
        self.onEvent = onEvent
        state = NIOLoopBoundBox(State(), eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // NIO's own set of these drops interim responses, however many there are.
                    let decoder = HTTPResponseDecoder(informationalResponseStrategy: .forward)
                    try channel.pipeline.syncOperations.addHandlers([
                        HTTPRequestEncoder(), ByteToMessageHandler(decoder), NIOHTTPRequestHeadersValidator(),
                        HTTPResponseHandler { self.received($0) },
                    ])
                }
            }
            .connect(host: address.host, port: Int(address.port))
            .whenComplete { result in
                switch result {
                case .success(let channel): self.connected(channel)
                case .failure(let error): self.end(Self.text(error))
                }
            }
    }

    func send(_ message: OutgoingMessage) {
        guard let channel = state.value.channel else { return }
        state.value.tokens.append(message.token)
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.path)
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        head.headers.add(name: "Host", value: "\(host):\(address.port)")
        head.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        head.headers.add(name: "Content-Length", value: "\(message.message.payload.count)")
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        let body = channel.allocator.buffer(bytes: message.message.payload)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    func close(gracefully: Bool) {
        state.value.isClosing = true
        guard let channel = state.value.channel else { return end(nil) }
        channel.close(promise: nil)
    }

    private func connected(_ channel: any Channel) {
        guard !state.value.isClosed else { return channel.close(promise: nil) }
        state.value.channel = channel
        // What the kernel has not sent when the connection is closed is dropped, as with MQTT.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        channel.closeFuture.whenComplete { _ in
            self.end(self.state.value.failure ?? "the server closed the connection")
        }
        onEvent(.connected)
    }

    private func received(_ response: HTTPResponseHandler.Response) {
        switch response {
        // Later errors, when the connection is closed, are less informative.
        case .failed(let reason): state.value.failure = state.value.failure ?? reason
        case .completed(let status, let keepsAlive):
            guard let token = state.value.tokens.first else {
                state.value.failure = "the server sent a response to no request"
                state.value.channel?.close(promise: nil)
                return
            }
            state.value.tokens.removeFirst()
            guard (200..<300).contains(status) else {
                state.value.failure = "the server refuses a report with status \(status)"
                state.value.channel?.close(promise: nil)
                return
            }
            state.value.hasAnswered = true
            onEvent(.acknowledged(token))
            if !keepsAlive { state.value.channel?.close(promise: nil) }
        }
    }

    private func end(_ reason: String?) {
        guard !state.value.isClosed else { return }
        state.value.isClosed = true
        onEvent(state.value.isFinished ? .finished : .closed(reason: state.value.isClosing ? nil : reason))
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            "the name of the server's host cannot be looked up"
        case let error as NIOConnectionError:
            text(error.connectionErrors[0].error)
        case let error as IOError: "\(error.description)"
        case ChannelError.connectTimeout: "the server does not answer"
        default: "\(error)"
        }
    }
}
