internal import EventLoopSupport
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay
internal import PeerIdentity

/// A TCP port for readers to connect to.
final class PortOutlet: SentenceOutlet {
    /// The maximum number of readers.
    static let maximumReaders = 16
    /// The maximum number of readers of one user of this machine, or of one address in the network.
    static let maximumReadersPerOwner = 8
    /// The maximum number of bytes waiting for a reader. Further bytes are dropped for that reader.
    static let maximumWaiting = 65_536
    /// The time after which a reader that takes no bytes is disconnected.
    static let stallTimeout = TimeAmount.seconds(30)

    private let name: String
    private let allowed: [AddressRange]
    private let makeBinding: (PortOutlet) -> PortBinding
    private let loop: any EventLoop
    private let onStatus: (String) -> Void
    private let onReaders: (Bool) -> Void
    private var refusals: RefusalLog
    private var binding: PortBinding?
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private var readers = PortReaders<ObjectIdentifier>(
        maximumCount: PortOutlet.maximumReaders, maximumPerOwner: PortOutlet.maximumReadersPerOwner)
    /// The sentences that a new reader gets at once: with reduced accuracy, the next location may be far away.
    private var latest: ByteBuffer?

    init(
        address: String, port: Int, allowed: [AddressRange], on loop: any EventLoop, log: Logger,
        onStatus: @escaping (String) -> Void, onReaders: @escaping (Bool) -> Void
    ) {
        let name = ServeTarget.server(address: address, port: port).description
        self.name = name
        self.allowed = allowed
        self.loop = loop
        self.onStatus = onStatus
        self.onReaders = onReaders
        refusals = RefusalLog(log)
        TCPSocketOwner.prepare()
        makeBinding = { outlet in
            let bound = NIOLoopBound(outlet, eventLoop: loop)
            return PortBinding(of: name, on: loop, log: log, onStatus: onStatus) {
                ServerBootstrap.readOnRequest(on: loop)
                    // Detects readers whose host is gone, so that they do not keep the receivers on.
                    .childChannelOption(.socketOption(.so_keepalive), value: 1)
                    .childChannelOption(
                        .writeBufferWaterMark, value: .init(low: Self.maximumWaiting / 2, high: Self.maximumWaiting)
                    )
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
                    }
                    .bind(host: address, port: port)
            }
        }
    }

    func open() {
        let binding = makeBinding(self)
        self.binding = binding
        binding.start()
    }

    func close() {
        // The binding refers to this object.
        binding?.stop()
        binding = nil
        latest = nil
        let ended = readers.removeAll().compactMap { channels.removeValue(forKey: $0) }
        for channel in ended { reset(channel) }
    }

    /// Closes a connection, and drops unsent bytes.
    ///
    /// Attack: a reader stops reading, and after the revocation reads the sentences written before it. Bytes that have
    /// already reached its end remain there.
    private func reset(_ channel: any Channel) {
        let drop = linger(l_onoff: 1, l_linger: 0)
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(drop)
        channel.close(promise: nil)
    }

    func write(_ sentences: ByteBuffer) {
        latest = sentences
        // A slow reader loses bytes; the checksum of the cut sentence shows it.
        for reader in readers.all {
            guard let channel = channels[reader], channel.isWritable else { continue }
            channel.writeAndFlush(sentences, promise: nil)
        }
    }

    /// Attack: accuracy is reduced, and a reader that had stopped reading gets the sentences written with full
    /// accuracy. So readers are disconnected, and connect again.
    func forget() {
        latest = nil
        for channel in readers.all.compactMap({ channels[$0] }) { reset(channel) }
    }

    /// The error for a refused connection, which closes it.
    private struct Refused: Error {}

    private func accept(_ channel: any Channel) throws {
        let host = channel.remoteAddress?.host ?? "an unknown host"
        guard binding != nil, allowed.admitted(channel.remoteAddress) != nil else {
            refusals.refused("\(host) may not read \(name): add it to allow if it should", at: loop.now)
            throw Refused()
        }
        let reader = ObjectIdentifier(channel)
        switch readers.add(reader, of: .of(channel), at: loop.now.seconds) {
        case .admitted: break
        case .replaces(let other):
            refusals.refused("\(channels.count) readers of \(name): one of those with the most is closed", at: loop.now)
            channels.removeValue(forKey: other)?.close(promise: nil)
        case .tooManyOfOwner:
            refusals.refused("\(host) has \(Self.maximumReadersPerOwner) readers of \(name) already", at: loop.now)
            throw Refused()
        case .tooOften:
            refusals.refused("\(host) connects to \(name) too often", at: loop.now)
            throw Refused()
        case .tooMany:
            refusals.refused("\(channels.count) readers of \(name) are too many", at: loop.now)
            throw Refused()
        }
        channels[reader] = channel
        try channel.pipeline.syncOperations.addHandler(
            ReaderConnection(stallTimeout: Self.stallTimeout, on: loop) { [weak self] in self?.left(reader) })
        if let latest { channel.writeAndFlush(latest, promise: nil) }
        if channels.count == 1 { onReaders(true) }
        report()
    }

    private func left(_ reader: ObjectIdentifier) {
        guard readers.remove(reader) else { return }
        channels[reader] = nil
        report()
        guard channels.isEmpty else { return }
        latest = nil
        onReaders(false)
    }

    private func report() {
        switch channels.count {
        case 0: onStatus("No reader at \(name)")
        case 1: onStatus("1 reader at \(name)")
        default: onStatus("\(channels.count) readers at \(name)")
        }
    }
}

/// The handler of a reader's connection. It reads and drops any input.
///
/// Attack: a reader sends without end, so that this program spends its processor time on reading. So it reads no faster
/// than the budget allows, and a byte costs as much as many.
private final class ReaderConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let stallTimeout: TimeAmount
    private let timer: LoopTimer
    private let readTimer: LoopTimer
    private var budget = ByteBudget()
    private let onEnd: () -> Void

    init(stallTimeout: TimeAmount, on loop: any EventLoop, onEnd: @escaping () -> Void) {
        self.stallTimeout = stallTimeout
        self.onEnd = onEnd
        (timer, readTimer) = (LoopTimer(on: loop), LoopTimer(on: loop))
    }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = max(ByteBudget.leastRead, unwrapInboundIn(data).readableBytes)
        let pause = budget.spend(count, at: context.eventLoop.now.seconds)
        guard pause > 0 else { return context.read() }
        let channel = context.channel
        readTimer.set(in: .clamping(seconds: pause)) { channel.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard !context.channel.isWritable else { return timer.cancel() }
        let channel = context.channel
        timer.set(in: stallTimeout) { channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        readTimer.cancel()
        onEnd()
    }
}
