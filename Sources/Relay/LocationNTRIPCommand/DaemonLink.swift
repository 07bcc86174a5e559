internal import EventLoopSupport
internal import LocationProtocol
internal import NIOCore
internal import NIOPosix

/// The connection to the daemon's socket for corrections, made again whenever it ends. Confined to the event loop.
final class DaemonLink {
    /// The maximum number of bytes waiting for the daemon, which reads at once. Further frames are dropped.
    private static let maximumWaiting = 65_536

    private let path: String
    private let loop: any EventLoop
    private let receiver: String?
    private let onNeed: (CorrectionsSocket.Need) -> Void
    private let onFailure: (String) -> Void
    private let retry: Retry
    private var channel: (any Channel)?
    private var isStopped = false

    /// - Parameters:
    ///   - receiver: The name of the receiver for the corrections, or `nil` for any that takes them.
    ///   - onNeed: Called with the need for corrections. There is none while there is no connection.
    ///   - onFailure: Called with the reason why there is no connection.
    init(
        path: String, receiver: String?, on loop: any EventLoop,
        onNeed: @escaping (CorrectionsSocket.Need) -> Void, onFailure: @escaping (String) -> Void
    ) {
        (self.path, self.receiver, self.loop) = (path, receiver, loop)
        (self.onNeed, self.onFailure) = (onNeed, onFailure)
        retry = Retry(Backoff(first: 0.5, greatest: 30), on: loop)
    }

    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.writeBufferWaterMark, value: .init(low: Self.maximumWaiting / 2, high: Self.maximumWaiting))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NeedHandler { bound.value.received($0) })
                }
            }
            .connect(unixDomainSocketPath: path)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let channel): bound.value.didConnect(channel)
                case .failure(let error): bound.value.didFail(error.networkReason)
                }
            }
    }

    func stop() {
        isStopped = true
        retry.cancel()
        channel?.close(promise: nil)
    }

    /// Passes a frame on. Returns whether the daemon gets it.
    func send(_ frame: [UInt8]) -> Bool {
        guard let channel, channel.isWritable else { return false }
        channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
        return true
    }

    private func didConnect(_ channel: any Channel) {
        guard !isStopped else { return channel.close(promise: nil) }
        self.channel = channel
        channel.writeAndFlush(ByteBuffer(bytes: CorrectionsSocket.greeting(receiver: receiver)), promise: nil)
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in
            self?.channel = nil
            self?.didFail("locationd has closed the connection")
        }
    }

    private func received(_ need: CorrectionsSocket.Need) {
        retry.succeeded()
        onNeed(need)
    }

    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        onNeed(.unneeded)
        onFailure("\(path): \(reason)")
        retry.schedule { [weak self] in self?.start() }
    }
}

/// Receives the need for corrections.
private final class NeedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onNeed: (CorrectionsSocket.Need) -> Void
    private var reader = CorrectionsSocket.NeedReader()

    init(onNeed: @escaping (CorrectionsSocket.Need) -> Void) { self.onNeed = onNeed }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            if let need = reader.receive(byte) { onNeed(need) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
