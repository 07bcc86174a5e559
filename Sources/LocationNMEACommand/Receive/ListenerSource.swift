internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

/// A port to which senders connect.
final class ListenerSource: ByteSource {
    /// The number of connections. One more, and the one that has been silent for the longest is closed, if there is one.
    static let maximumConnections = 8

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
    private var server: (any Channel)?
    private var connections: [SenderConnection] = []
    private var isStopped = false
    private var loggedFailure: String?

    init(
        address: String, port: Int, allowed: [AddressRange], sink: any ByteSink, on loop: any EventLoop, log: Logger
    ) {
        self.address = address
        self.port = port
        name = ReceiveSource.listener(address: address, port: port).description
        self.allowed = allowed
        self.sink = sink
        self.loop = loop
        self.log = log
        retryTimer = LoopTimer(on: loop)
        (refusals, foreign) = (RefusalLog(log), RefusalLog(log))
    }

    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 16)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: SenderConnection.bytesAtOnce)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
            }
            .bind(host: address, port: port)
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

    func stop() {
        isStopped = true
        retryTimer.cancel()
        server?.close(promise: nil)
        server = nil
        for connection in connections { connection.close() }
        connections = []
    }

    private func didBind(_ channel: any Channel) {
        server = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self, weak channel] _ in
            guard let self, let channel, self.server === channel else { return }
            self.server = nil
            self.didFail("the socket was closed")
        }
        sink.report("Listening at \(name)")
        log.log(level: loggedFailure == nil ? .info : .notice, "listening at \(name)")
        loggedFailure = nil
    }

    /// An address that is not there yet, as before the network is up, or a port that another program has.
    private func didFail(_ reason: String) {
        guard !isStopped else { return }
        sink.report("Cannot listen at \(name): \(reason)")
        if loggedFailure != reason { log.error("cannot listen at \(name): \(reason); trying again") }
        loggedFailure = reason
        retryTimer.set(in: .clamping(seconds: retryDelay.next())) { [weak self] in self?.start() }
    }

    /// The error of a connection that is not accepted, which closes it.
    private struct Refused: Error {}

    private func accept(_ channel: any Channel) throws {
        let host = channel.remoteAddress?.host ?? "an unknown host"
        guard !isStopped, let peer = IPAddress(channel.remoteAddress), allowed.contains(where: { $0.contains(peer) })
        else {
            refusals.refused("\(host) may not send to \(name): add it to allow if it should", at: loop.now)
            throw Refused()
        }
        if connections.count >= Self.maximumConnections {
            // Attack: connections that say nothing push out the one that has its turn.
            let limit = TimeAmount.milliseconds(Int64(SenderTurn<Sender>.silenceLimit * 1000))
            let idle = connections.filter { !$0.hasBeenHeard || loop.now - $0.lastHeard >= limit }
            guard let silent = idle.min(by: { $0.lastHeard < $1.lastHeard }) else {
                refusals.refused("\(connections.count) connections to \(name) are too many", at: loop.now)
                throw Refused()
            }
            refusals.refused("\(connections.count) connections to \(name): the silent ones are closed", at: loop.now)
            connections.removeAll { $0 === silent }
            silent.close()
        }
        let connection = SenderConnection(named: host, sink: sink) { [weak self] ended, end in
            self?.connections.removeAll { $0 === ended }
            if case .foreign(let kind) = end {
                guard let self else { return }
                self.foreign.refused("\(host) does not send NMEA 0183, but \(kind.explanation)", at: self.loop.now)
            }
        }
        connections.append(connection)
        try channel.pipeline.syncOperations.addHandler(connection)
    }
}
