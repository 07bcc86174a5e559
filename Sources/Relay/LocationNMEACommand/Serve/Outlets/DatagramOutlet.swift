internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// Sends a datagram for each location to a host, a broadcast address or a multicast group.
///
/// It counts as read while it is open: a sender cannot know who receives its datagrams.
final class DatagramOutlet: SentenceOutlet {
    private let name: String
    private let destination: SocketAddress?
    private let isIPv6: Bool
    private let loop: any EventLoop
    private let log: Logger
    private let onStatus: (String) -> Void
    private let onReaders: (Bool) -> Void
    private var failures: RefusalLog
    private var binding: PortBinding?
    private var channel: (any Channel)?

    init(
        address: String, port: Int, on loop: any EventLoop, log: Logger, onStatus: @escaping (String) -> Void,
        onReaders: @escaping (Bool) -> Void
    ) {
        name = ServeTarget.datagrams(address: address, port: port).description
        destination = try? SocketAddress(ipAddress: address, port: port)
        isIPv6 = destination?.protocol == .inet6
        self.loop = loop
        self.log = log
        self.onStatus = onStatus
        self.onReaders = onReaders
        failures = RefusalLog(log)
    }

    func open() {
        let (loop, isIPv6, bound) = (loop, isIPv6, NIOLoopBound(self, eventLoop: loop))
        let binding = PortBinding(.sending, of: name, on: loop, log: log, onStatus: onStatus) {
            DatagramBootstrap(group: loop)
                .channelOption(.socketOption(.so_broadcast), value: isIPv6 ? 0 : 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SendingHandler())
                    }
                }
                .bind(host: isIPv6 ? "::" : "0.0.0.0", port: 0)
                .map { channel in
                    bound.value.opened(channel)
                    return channel
                }
        }
        self.binding = binding
        binding.start()
    }

    private func opened(_ channel: any Channel) {
        guard binding?.isStopped == false else { return }
        self.channel = channel
        onReaders(true)
    }

    func close() {
        binding?.stop()
        (binding, channel) = (nil, nil)
    }

    func write(_ sentences: ByteBuffer) {
        guard let channel, let destination else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        channel.writeAndFlush(AddressedEnvelope(remoteAddress: destination, data: sentences)).whenFailure { error in
            let outlet = bound.value
            outlet.failures.refused("\(outlet.name): \(error.networkReason)", at: outlet.loop.now)
        }
    }
}

/// Drops any replies, and ignores an error of one datagram: it does not end the others.
private final class SendingHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
