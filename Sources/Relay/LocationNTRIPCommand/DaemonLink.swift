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
    private let onNeed: (Bool) -> Void
    private let onFailure: (String) -> Void
    private let retry: Retry
    private var channel: (any Channel)?
    private var isStopped = false

    /// - Parameters:
    ///   - onNeed: Called with the need for corrections. There is none while there is no connection.
    ///   - onFailure: Called with the reason why there is no connection.
    init(
        path: String, on loop: any EventLoop, onNeed: @escaping (Bool) -> Void, onFailure: @escaping (String) -> Void
    ) {
        (self.path, self.loop, self.onNeed, self.onFailure) = (path, loop, onNeed, onFailure)
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
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in
            self?.channel = nil
            self?.didFail("locationd has closed the connection")
        }
    }

    private func received(_ need: UInt8) {
        retry.succeeded()
        onNeed(need == CorrectionsSocket.needed)
    }

    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        onNeed(false)
        onFailure("\(path): \(reason)")
        retry.schedule { [weak self] in self?.start() }
    }
}

/// Receives the need for corrections.
private final class NeedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onNeed: (UInt8) -> Void

    init(onNeed: @escaping (UInt8) -> Void) { self.onNeed = onNeed }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Only the last one matters.
        if let last = unwrapInboundIn(data).readableBytesView.last { onNeed(last) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
