internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// A port where datagrams arrive: from one host, by broadcast or by multicast.
final class DatagramSource: ByteSource {
    /// The longest datagram that is received whole, in bytes: jumbo frames of Ethernet.
    static let maximumLength = 9216

    /// The timeout for the rest of a cut sentence.
    static let restTimeout = TimeAmount.milliseconds(100)

    private let name: String
    private let allowed: [AddressRange]
    private unowned let sink: any ByteSink
    private let loop: any EventLoop
    private var binding: PortBinding?
    private var refusals: RefusalLog
    private var foreign: RefusalLog
    private var budget = ByteBudget()
    /// The budget of the hosts that wait for their turn. Attack: one of them sends so much that the sender with the
    /// turn has no budget left.
    private var othersBudget = ByteBudget()
    /// The sender whose last datagram ended in the middle of a line, until the rest comes or the timeout expires.
    private var open: (peer: IPAddress, host: String)?
    private let restTimer: LoopTimer

    init(
        address: String, port: Int, allowed: [AddressRange], sink: any ByteSink, on loop: any EventLoop, log: Logger
    ) {
        name = ReceiveSource.datagrams(address: address, port: port).description
        self.allowed = allowed
        self.sink = sink
        self.loop = loop
        (refusals, foreign) = (RefusalLog(log), RefusalLog(log))
        restTimer = LoopTimer(on: loop)
        let handler = NIOLoopBound(DatagramHandler(self), eventLoop: loop)
        // Other programs may listen to the same group. Attack: with this option on a host's address, any user binds the
        // same port at a more specific address and receives the daemon's datagrams.
        let isShared = IPAddress(parsing: address)?.isMulticast == true
        binding = PortBinding(of: name, on: loop, log: log, onStatus: { [unowned sink] in sink.report($0) }) {
            DatagramBootstrap(group: loop)
                .channelOption(.socketOption(.so_reuseaddr), value: isShared ? 1 : 0)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.maximumLength))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
                .bind(host: address, port: port)
                .flatMap { channel in Self.join(channel, address) }
        }
    }

    func start() { binding?.start() }

    func stop() {
        restTimer.cancel()
        binding?.stop()
    }

    /// Joins the group if the address is a multicast address.
    private static func join(_ channel: any Channel, _ address: String) -> EventLoopFuture<any Channel> {
        guard IPAddress(parsing: address)?.isMulticast == true, let multicast = channel as? any MulticastChannel,
            let group = try? SocketAddress(ipAddress: address, port: 0)
        else { return channel.eventLoop.makeSucceededFuture(channel) }
        return multicast.joinGroup(group).map { channel }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    fileprivate func receive(_ datagram: AddressedEnvelope<ByteBuffer>) {
        guard binding?.isStopped == false else { return }
        let host = datagram.remoteAddress.host
        guard let peer = allowed.admitted(datagram.remoteAddress) else {
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
        if open?.peer == peer, DatagramText.beginsSentence(bytes.readableBytesView) { endLine() }
        let end = DatagramText.end(of: bytes.readableBytesView)
        if end == .sentence { bytes.writeString("\r\n") }
        sink.receive(bytes, from: .host(peer), named: host)
        guard isOpen else { return }
        open = end == .open ? (peer, host) : nil
        guard open != nil else { return restTimer.cancel() }
        restTimer.set(in: Self.restTimeout) { [weak self] in self?.endLine() }
    }

    /// Ends the line that the last datagram left open: without a rest, it was whole.
    private func endLine() {
        restTimer.cancel()
        guard let (peer, host) = open else { return }
        open = nil
        sink.receive(ByteBuffer(string: "\r\n"), from: .host(peer), named: host)
    }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private weak var source: DatagramSource?

    init(_ source: DatagramSource) { self.source = source }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { source?.receive(unwrapInboundIn(data)) }

    /// Ignores an error of one datagram, such as a host's "port unreachable": it does not end the others.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
