internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay
internal import ServiceSupport

/// Passes one sender's bytes on to the clients of the Unix socket: the daemon, while it needs fixes.
///
/// Opens nothing in the network while no client is connected. Confined to the event loop.
final class Relay {
    /// The maximum number of connections to the Unix socket. A daemon has one.
    static let maximumReaders = 4
    /// The time without a connection after which the program ends, if the service manager starts it again on demand.
    static let idleTime = TimeAmount.seconds(5)
    /// The maximum number of bytes waiting for a reader. Further bytes are dropped for that reader.
    static let maximumWaiting = 65_536

    private let makeSource: (any ByteSink) -> any ByteSource
    private let loop: any EventLoop
    private let log: Logger
    private let onStatus: (String) -> Void
    private let onIdle: (() -> Void)?
    private let idleTimer: LoopTimer
    private var listener: StreamListener?
    private var sockets: StreamSockets?
    private var readers: [any Channel] = []
    private var source: (any ByteSource)?
    private var turn = SenderTurn<Sender>()
    private var lastName = ""
    private var lastNamed = NIODeadline.uptimeNanoseconds(0)
    private var refusals: RefusalLog

    /// - Parameters:
    ///   - makeSource: Makes the source of the bytes, which runs while a client is connected.
    ///   - onIdle: Called after ``idleTime`` without a client; `nil` if the program keeps running.
    init(
        on loop: any EventLoop, log: Logger, onStatus: @escaping (String) -> Void, onIdle: (() -> Void)?,
        makeSource: @escaping (any ByteSink) -> any ByteSource
    ) {
        self.makeSource = makeSource
        self.loop = loop
        self.log = log
        self.onStatus = onStatus
        self.onIdle = onIdle
        idleTimer = LoopTimer(on: loop)
        refusals = RefusalLog(log)
    }

    /// Starts to accept connections at a listening Unix socket, and takes ownership of it.
    ///
    /// The daemon trusts a socket if root listens there, so the service manager's socket stays root's.
    func listen(at descriptor: CInt) throws {
        let sockets = try StreamSockets(on: loop)
        self.sockets = sockets
        listener = StreamListener(descriptor, backlog: nil, in: sockets) { [unowned self] in connect($0) }
        waitForReaders()
    }

    private func connect(_ descriptor: CInt) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        _ = ClientBootstrap(group: loop)
            .channelOption(
                .writeBufferWaterMark, value: .init(low: Self.maximumWaiting / 2, high: Self.maximumWaiting)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
            }
            .withConnectedSocket(descriptor)
    }

    /// Closes everything.
    func stop() {
        idleTimer.cancel()
        source?.stop()
        source = nil
        listener?.close()
        sockets?.stop()
        (listener, sockets) = (nil, nil)
        for reader in readers { reader.close(promise: nil) }
        readers = []
    }

    // MARK: Readers

    private struct Refused: Error {}

    private func accept(_ channel: any Channel) throws {
        guard readers.count < Self.maximumReaders else {
            refusals.refused("\(readers.count) connections to the Unix socket are too many for a daemon", at: loop.now)
            throw Refused()
        }
        idleTimer.cancel()
        readers.append(channel)
        try channel.pipeline.syncOperations.addHandler(ReaderHandler { [weak self] in self?.left(channel) })
        guard source == nil else { return }
        turn = SenderTurn()
        source = makeSource(self)
        source?.start()
    }

    private func left(_ channel: any Channel) {
        readers.removeAll { $0 === channel }
        guard readers.isEmpty else { return }
        source?.stop()
        source = nil
        waitForReaders()
    }

    private func waitForReaders() {
        onStatus("No client is connected")
        if let onIdle { idleTimer.set(in: Self.idleTime, onIdle) }
    }
}

extension Relay: ByteSink {
    func receive(_ bytes: ByteBuffer, from sender: Sender, named name: String) {
        // The start of an NMEA 0183 sentence, or of a UBX frame. AIS sentences start with another character.
        let hasSentence = bytes.readableBytesView.contains { $0 == UInt8(ascii: "$") || $0 == 0xB5 }
        switch turn.receive(from: sender, at: loop.now.seconds, hasSentence: hasSentence) {
        case .continues: pass(bytes)
        case .begins:
            // Attack: a host connects and leaves a thousand times a second, and fills the disk.
            if name != lastName || loop.now - lastNamed >= .minutes(1) {
                log.info("receiving from \(name)")
                lastNamed = loop.now
            }
            lastName = name
            onStatus("Receiving from \(name)")
            // This sender must not complete a sentence begun by another one.
            var begun = ByteBuffer(string: "\r\n")
            begun.writeImmutableBuffer(bytes)
            pass(begun)
        case .waits:
            refusals.refused("ignoring \(name): another sender is active", at: loop.now)
        }
    }

    private func pass(_ bytes: ByteBuffer) {
        // A slow reader loses bytes; the checksum of the cut sentence shows it.
        for reader in readers where reader.isWritable { reader.writeAndFlush(bytes, promise: nil) }
    }

    func isOpen(to sender: Sender) -> Bool { turn.isOpen(to: sender) }

    func senderLeft(_ sender: Sender) { turn.leave(sender) }

    func report(_ status: String) { onStatus(status) }
}

/// The handler of a connection to the Unix socket. It reads and drops any input.
private final class ReaderHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onEnd: () -> Void

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) { onEnd() }
}

extension ReceiveSource {
    /// Returns the byte source that this value describes.
    func makeSource(
        allowing allowed: [AddressRange], sink: any ByteSink, on loop: any EventLoop, log: Logger
    ) -> any ByteSource {
        switch self {
        case .server(let host, let port): ServerSource(host: host, port: port, sink: sink, on: loop, log: log)
        case .listener(let address, let port):
            ListenerSource(address: address, port: port, allowed: allowed, sink: sink, on: loop, log: log)
        case .datagrams(let address, let port):
            DatagramSource(address: address, port: port, allowed: allowed, sink: sink, on: loop, log: log)
        }
    }
}
