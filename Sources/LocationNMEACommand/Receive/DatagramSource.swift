internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// A port at which datagrams arrive: from one host, by broadcast or by multicast.
final class DatagramSource: ByteSource {
    /// The longest datagram that is received whole: that of an Ethernet with jumbo frames.
    static let maximumLength = 9216

    private let address: String
    private let port: Int
    private let name: String
    private let allowed: [AddressRange]
    private unowned let sink: any ByteSink
    private let loop: any EventLoop
    private let log: Logger
    private let retryTimer: LoopTimer
    private var retryDelay = Backoff(first: 0.5, greatest: 30)
    private var refusals: RefusalLog
    private var foreign: RefusalLog
    private var budget = ByteBudget()
    /// That of the hosts that wait. Attack: one of them sends so much that nothing is left for the one that has its turn.
    private var othersBudget = ByteBudget()
    private var channel: (any Channel)?
    private var isStopped = false
    private var loggedFailure: String?

    init(
        address: String, port: Int, allowed: [AddressRange], sink: any ByteSink, on loop: any EventLoop, log: Logger
    ) {
        self.address = address
        self.port = port
        name = ReceiveSource.datagrams(address: address, port: port).description
        self.allowed = allowed
        self.sink = sink
        self.loop = loop
        self.log = log
        retryTimer = LoopTimer(on: loop)
        (refusals, foreign) = (RefusalLog(log), RefusalLog(log))
    }

    func start() {
        let handler = NIOLoopBound(DatagramHandler(self), eventLoop: loop)
        DatagramBootstrap(group: loop)
            // Another program may listen to the same group. Attack: with the option at a host's address, any user binds the
            // same port to a more specific one, and gets what was meant for the daemon.
            .channelOption(
                .socketOption(.so_reuseaddr), value: IPAddress(parsing: address)?.isMulticast == true ? 1 : 0
            )
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.maximumLength))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .bind(host: address, port: port)
            .flatMap { [address] channel in Self.join(channel, address) }
            .assumeIsolated()
            .whenComplete { [weak self] result in
                switch result {
                case .success(let channel):
                    guard let self, !self.isStopped else { return channel.close(promise: nil) }
                    self.didBind(channel)
                case .failure(let error): self?.didFail(error.networkReason)
                }
            }
    }

    /// Joins the group if the address is that of one.
    private static func join(_ channel: any Channel, _ address: String) -> EventLoopFuture<any Channel> {
        guard IPAddress(parsing: address)?.isMulticast == true, let multicast = channel as? any MulticastChannel,
            let group = try? SocketAddress(ipAddress: address, port: 0)
        else { return channel.eventLoop.makeSucceededFuture(channel) }
        return multicast.joinGroup(group).map { channel }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    func stop() {
        isStopped = true
        retryTimer.cancel()
        channel?.close(promise: nil)
        channel = nil
    }

    private func didBind(_ channel: any Channel) {
        self.channel = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self, weak channel] _ in
            guard let self, let channel, self.channel === channel else { return }
            self.channel = nil
            self.didFail("the socket was closed")
        }
        sink.report("Listening at \(name)")
        log.log(level: loggedFailure == nil ? .info : .notice, "listening at \(name)")
        loggedFailure = nil
    }

    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        sink.report("Cannot listen at \(name): \(reason)")
        if loggedFailure != reason { log.error("cannot listen at \(name): \(reason); trying again") }
        loggedFailure = reason
        retryTimer.set(in: .clamping(seconds: retryDelay.next())) { [weak self] in self?.start() }
    }

    fileprivate func receive(_ datagram: AddressedEnvelope<ByteBuffer>) {
        guard !isStopped else { return }
        let host = datagram.remoteAddress.host
        guard let peer = IPAddress(datagram.remoteAddress), allowed.contains(where: { $0.contains(peer) }) else {
            refusals.refused("\(host) may not send to \(name): add it to allow if it should", at: loop.now)
            return
        }
        var bytes = datagram.data
        let (count, now) = (bytes.readableBytes, loop.now.seconds)
        let isOpen = sink.isOpen(to: .host(peer))
        guard isOpen ? budget.admits(count, at: now) : othersBudget.admits(count, at: now) else {
            refusals.refused("\(host) sends more than can be received: datagrams are dropped", at: loop.now)
            return
        }
        var recognition = ProtocolRecognition()
        if let kind = recognition.examine(bytes.readableBytesView) {
            foreign.refused("\(host) does not send NMEA 0183, but \(kind.explanation)", at: loop.now)
            return
        }
        if DatagramText.lacksLineEnd(bytes.readableBytesView) { bytes.writeString("\r\n") }
        sink.receive(bytes, from: .host(peer), named: host)
    }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private weak var source: DatagramSource?

    init(_ source: DatagramSource) { self.source = source }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { source?.receive(unwrapInboundIn(data)) }

    /// An error of one datagram, such as a port that a host reports as unreachable, does not end the others.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
